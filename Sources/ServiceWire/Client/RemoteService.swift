import Foundation
import SessionSupport
package import TransferService
package import TransferValues

/// The transfers of a service in another process.
///
/// A lost connection is made again once a second, until ``close(leaving:)``; in the meantime commands change nothing
/// and questions have no answers. Safe from any thread.
package final class RemoteService: TransferService {
    /// The state of the connection, for the screen.
    package enum Connection: Sendable, Equatable {
        case connected
        /// Connected to another process than before: the service was started again.
        case restarted
        /// Lost, and why, as a sentence.
        case lost(String)
        /// Given up because its process says nothing, as a sentence with what ends it.
        case hangs(String)
        /// A command waits, and the process says nothing to anybody.
        case silent
        /// The process that was silent speaks again.
        case speaks
        /// Another client has ended the service.
        case stopped
        /// The service ended as this client told it to.
        case ended
    }

    struct State {
        var link: ServiceLink
        /// The process of the service.
        var process: Int32
        var subscription: RemoteSubscription?
        var isConnected = true
        var isClosed = false
        var isStopping = false
        /// Whether a connection would start a service that another client has ended.
        var waitsForCommand = false
        /// Whether the next try to connect comes at once.
        var isHurried = false
    }

    /// Milliseconds that a command waits for the service that it has started again.
    private static let restartPatience: Int64 = 5_000
    /// Milliseconds that a service may take to end: it waits two seconds for its tasks, and then for the disk.
    package static let stopPatience: Int64 = 15_000
    /// Milliseconds between two tries to connect again.
    private static let retryDelay: Int64 = 1_000

    package let welcome: Welcome
    private let socket: ServiceSocket
    private let program: String
    /// The number by which the service knows this client's changes.
    private let client: UInt64
    /// Milliseconds after which a service that says nothing is given up.
    let patience: Int64
    /// Milliseconds for a service that ends, for its successor, and for one that hung to answer an addition again.
    let additionPatience: Int64
    /// The folder of downloads that are added here without one.
    private let directory: String?
    /// Whether the service runs on another host, whose folders are not this one's.
    private let isElsewhere: Bool
    let state: Monitor<State>
    private let onConnection: @Sendable (Connection) -> Void
    /// Starts the service again after it was lost; returns once that is done or was in vain.
    let restart: (@Sendable () -> Void)?

    /// Connects to the service of a session; nil where none runs.
    ///
    /// `directory` is the folder of downloads that are added here without one, else the current one; relative paths for
    /// a service `isElsewhere`, on another host, start at its folder for downloads. `onConnection`
    /// is called on a thread of its own with each change after this. `restart` starts the service again: a command
    /// calls it where the connection is lost.
    package static func connect(
        to socket: ServiceSocket, program: String, directory: String? = nil, isElsewhere: Bool = false,
        patience: Int64 = ServiceSocket.patience, additionPatience: Int64? = nil,
        restart: (@Sendable () -> Void)? = nil,
        onConnection: @escaping @Sendable (Connection) -> Void = { _ in }
    ) throws(LinkFailure) -> RemoteService? {
        let client = UInt64.random(in: 1...UInt64.max)
        let connected = try ServiceLink.connect(
            to: socket, program: program, client: client, patience: patience,
            onSilence: { onConnection($0 ? .silent : .speaks) })
        guard let (link, welcome) = connected else { return nil }
        return try RemoteService(
            link, welcome, socket, program, client, directory, isElsewhere: isElsewhere,
            (patience, additionPatience ?? 2 * patience), restart, onConnection)
    }

    private init(
        _ link: ServiceLink, _ welcome: Welcome, _ socket: ServiceSocket, _ program: String, _ client: UInt64,
        _ directory: String?, isElsewhere: Bool, _ patience: (answer: Int64, addition: Int64),
        _ restart: (@Sendable () -> Void)?,
        _ onConnection: @escaping @Sendable (Connection) -> Void
    ) throws(LinkFailure) {
        (self.welcome, self.socket, self.program, self.client) = (welcome, socket, program, client)
        (self.directory, self.isElsewhere) = (directory, isElsewhere)
        (self.patience, additionPatience) = patience
        (self.restart, self.onConnection) = (restart, onConnection)
        state = Monitor(State(link: link, process: welcome.process))
        do {
            try SystemThread.detach(name: "service-link") { [self] in run() }
        } catch {
            throw LinkFailure(WireErrors.unusable(socket.path, SystemWords.text(error.number)))
        }
    }

    private func run() {
        while true {
            let link = state.withLock(\.link)
            let reason = link.run { [self] update in state.withLock(\.subscription)?.receive(update) }
            let (isClosed, isStopping) = state.change { state in
                state.isConnected = false
                return (state.isClosed, state.isStopping)
            }
            if isClosed { return }
            if isStopping { return onConnection(.ended) }
            if let startsOnConnection = link.startsOnConnection {
                state.change { $0.waitsForCommand = startsOnConnection }
                onConnection(.stopped)
            } else {
                onConnection(link.isHung ? .hangs(problem) : .lost(reason ?? WireErrors.lost))
            }
            guard let connection = reconnect() else { return }
            onConnection(connection)
        }
    }

    /// Tries until a service answers; returns which one, and nil once closed.
    private func reconnect() -> Connection? {
        while !rests() {
            if state.withLock(\.waitsForCommand) { continue }
            // A refusal, such as another version, may end with the next service.
            let connected = try? ServiceLink.connect(
                to: socket, program: program, client: client, patience: patience,
                onSilence: { [onConnection] in onConnection($0 ? .silent : .speaks) })
            guard let (link, welcome) = connected else { continue }
            let (subscription, isSame) = state.change { state in
                defer { state.process = welcome.process }
                (state.link, state.isConnected) = (link, true)
                return (state.subscription, state.process == welcome.process)
            }
            subscription?.begin(wasMissed: true)
            return isSame ? .connected : .restarted
        }
        return nil
    }

    /// Waits until the next try to connect; returns whether this was closed meanwhile.
    private func rests() -> Bool {
        state.wait(timeoutMilliseconds: Self.retryDelay) { $0.isClosed || $0.isHurried }
        return state.withLock { state in
            state.isHurried = false
            return state.isClosed
        }
    }

    /// Whether another client has ended the service.
    package var isStopped: Bool { state.withLock(\.link).startsOnConnection != nil }

    /// Why the connection was lost, as a sentence.
    package var problem: String {
        let (link, process) = state.withLock { ($0.link, $0.process) }
        return link.isHung && !isElsewhere ? WireErrors.hangs(process) : link.problem
    }

    func request(_ request: WireRequest) -> WireReply? { state.withLock(\.link).request(request) }

    // MARK: - TransferService

    @discardableResult package func send(_ command: TransferCommand) -> CommandReply {
        if case .add(let jobs) = command { return add(jobs.map(portable)) }
        return reply(to: command) ?? CommandReply()
    }

    /// Sends a command and returns its reply; nil where the service has not carried it out, as far as known.
    package func reply(to command: TransferCommand) -> CommandReply? {
        switch command {
        case .add(let jobs):
            let reply = add(jobs.map(portable))
            guard reply.refusals.isEmpty, !Self.isComplete(reply, for: jobs) else { return reply }
            // A queue of many machines may name fewer.
            return welcome.selects == true && reply != CommandReply() ? reply : nil
        case .replace(let id, let job, let base):
            return sendWhole(.replace(id, with: portable(job), over: base))
        case .amend(let ids, let amendment): return sendWhole(.amend(ids, portable(amendment)))
        default: return sendWhole(command)
        }
    }

    private func portable(_ amendment: JobAmendment) -> JobAmendment {
        let environment = ProcessInfo.processInfo.environment
        return amendment.converted(
            option: { $0.withPath(absolute).withSecret(from: environment) }, folder: absolute)
    }

    /// The path that a typed one means for the service: from this process's folder, or from the folder for downloads of
    /// a service on another host.
    private func absolute(_ path: String) -> String {
        SavedJob.absolute(path, base: isElsewhere ? welcome.directory : nil)
    }

    /// The job with the paths and secrets that it has in this process.
    func portable(_ job: Job) -> Job {
        var job = SavedJob.absolute(job, directory: directory, base: isElsewhere ? welcome.directory : nil)
        if !job.options.isEmpty {
            let environment = ProcessInfo.processInfo.environment
            job.options = job.options.map { $0.withSecret(from: environment) }
        }
        return job
    }

    private func sendWhole(_ command: TransferCommand) -> CommandReply? {
        let (lost, wasConnected) = state.withLock { ($0.link, $0.isConnected) }
        switch lost.request(.send(command)) {
        case .sent(let reply)?: return reply
        case .failed(let failure)?: return CommandReply(refused: command, SafeText(untrusted: failure.message))
        default: break
        }
        // None can take the place of a process that hangs; a later command asks again. A service over a queue is another
        // program's, and its session has no tasks here.
        guard !wasConnected || !lost.isHung, let restart, welcome.selects != true, command.startsService,
            state.withLock({ !$0.isClosed && !$0.isStopping })
        else { return nil }
        restart()
        state.change { ($0.waitsForCommand, $0.isHurried) = (false, true) }
        state.wait(timeoutMilliseconds: Self.restartPatience) { $0.link !== lost || $0.isClosed }
        // The next service does not know which client has changed what before it.
        if case .undo(let step) = command { return CommandReply(refused: step, ServiceErrors.serviceRestarted) }
        return if case .sent(let reply)? = request(.send(command)) { reply } else { nil }
    }

    /// The service has begun already.
    package func begin() -> [String] { [] }

    /// Ends the connection; the service and its transfers go on.
    ///
    /// Where every transfer has ended it returns the results, otherwise a line about how many go on.
    @discardableResult package func close(leaving rest: [Job]) -> RunEnd {
        let end = state.withLock(\.isStopping) ? stoppedEnd() : end()
        leave()
        return end
    }

    /// Ends the connection without a question.
    package func leave() {
        state.change { $0.isClosed = true }
        state.withLock(\.link).end()
    }

    private func end() -> RunEnd {
        var end = RunEnd()
        let link = state.withLock(\.link)
        guard case .answer(.counts(let counts))? = link.request(.ask(.counts), endsSilent: true) else {
            if link.isHung { end.closing = [SafeText(untrusted: problem)] }
            return end
        }
        guard counts.isIdle else {
            end.closing = [WireLines.detached(counts.live, isElsewhere ? nil : welcome.session)]
            return end
        }
        // The rows of a large service are too many for a line.
        guard welcome.selects != true else {
            if case .summary(let summary)? = ask(.summary) {
                (end.summary, end.closing) = (summary, [summary.sentence])
            }
            return end
        }
        let rows = allSnapshots
        end.results = rows.map(\.result)
        if case .summary(let summary)? = ask(.summary) { end.summary = summary }
        if !rows.isEmpty { end.closing = [end.summary.sentence] }
        return end
    }

    package func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> any Subscription {
        let subscription = RemoteSubscription(interest, wake: wake) { [weak self] message in
            self?.state.withLock(\.link).send(message)
        }
        state.withLock { $0.subscription = subscription }
        subscription.begin()
        return subscription
    }

    /// Wakes the subscriber, whether anything waits or not.
    package func wakeSubscriber() { state.withLock(\.subscription)?.wakeSubscriber() }

    // MARK: - Files

    /// The kind of a failure without an answer of the service.
    package static let lostKind = "serviceLost"
    static let lost = TransferFailure(kind: lostKind, category: .network, message: WireErrors.lost)

    private func failure(_ reply: WireReply?) -> TransferFailure {
        if case .failed(let failure)? = reply { failure } else { Self.lost }
    }

    package func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure> {
        let reply = request(.writeBody(id, path: absolute(path)))
        if case .bytes(let count)? = reply { return .success(Int(count)) }
        return .failure(failure(reply))
    }

    /// The service knows this client by its connection.
    package func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure> {
        switch request(.changeURL(id, url: url)) {
        case .bytes(let count)?: .success(count)
        case .follows?: .success(nil)
        case let reply: .failure(failure(reply))
        }
    }

    package func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure> {
        switch request(.moveFile(id, path: typed, isUndo: isUndo)) {
        case .path(let path)?: .success(path)
        case .follows?: .success(nil)
        case let reply: .failure(failure(reply))
        }
    }

    package func deleteFiles(of ids: [UInt64]) -> [TransferFailure] {
        if case .failures(let failures)? = request(.deleteFiles(ids)) { failures } else { [Self.lost] }
    }

    package func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText]) {
        guard case .removed(let line, let complaints)? = request(.removeLeftovers(paths)) else {
            return (SafeText(untrusted: WireErrors.lost), [])
        }
        return (line, complaints)
    }

    package func fileToView(of id: UInt64) -> ViewableFile? {
        if case .file(let file)? = request(.fileToView(id)) { file } else { nil }
    }
}
