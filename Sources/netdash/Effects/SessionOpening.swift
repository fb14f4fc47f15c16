import Dashboard
import Foundation
import ServiceWire
import SessionSupport
import TransferService

/// Opens a dashboard's transfers on a thread that also serves its questions in order: neither the first frame waits for
/// the saved session, nor a key for a slow service.
///
/// Safe from any thread.
final class SessionOpening: Sendable {
    fileprivate struct State: Sendable {
        var service: (any TransferService)?
        var refusal: SessionRefusal?
        var listener: ServiceListener?
        /// The watch of a folder for the transfers of this process.
        var watch: FolderWatch?
    }

    fileprivate let state: Locked<State>
    private let queue = DispatchQueue(label: "netdash.session")

    /// An opening that has already ended.
    init(_ service: any TransferService) {
        state = Locked(State(service: service))
    }

    /// Opens the chosen session on its own thread.
    ///
    /// A named session that cannot be used ends the dashboard; without the default one nothing is saved, and a notice
    /// says so.
    init(_ choice: SessionChoice, settings: Settings, publisher: RowPublisher) {
        state = Locked(State())
        queue.async { [self] in open(choice, settings: settings, publisher: publisher) }
    }

    /// Why a named session cannot be used, as far as that is known at once: a run without a socket has it.
    static func refusal(of choice: SessionChoice) -> SessionRefusal? {
        guard case .named(let name) = choice, SessionSocket.forwarded == nil,
            let refusal = ServiceStarter.refusal(ofHolderOf: name), SessionSocket.of(name)?.isListening != true
        else { return nil }
        return refusal
    }

    /// The transfers; nil until the session's rows exist, and when it was refused.
    var service: (any TransferService)? { state.withLock { $0.service } }

    /// The reason why the named session cannot be used.
    var refusal: SessionRefusal? { state.withLock { $0.refusal } }

    /// Ends what adds tasks beside this window: the connections of other windows, and the watch of a folder.
    func stopListening() {
        let (watch, listener) = state.withLock { ($0.watch, $0.listener) }
        watch?.stop()
        listener?.close()
    }

    /// Waits until the session is open or refused and pending work is done; returns false on timeout.
    func wait(milliseconds: Int) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        return isDone.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }

    /// Calls a closure with the transfers, in order, as soon as they exist; never when the session was refused.
    func whenReady(_ body: @escaping @Sendable (any TransferService) -> Void) {
        queue.async { [self] in
            if let service { body(service) }
        }
    }

    // MARK: - Opening

    private func open(_ choice: SessionChoice, settings: Settings, publisher: RowPublisher) {
        if let path = SessionSocket.forwarded { return open(forwarded: path, settings, publisher) }
        if let name = choice.nameForDashboard, let remote = attach(to: name, settings, publisher) {
            return state.withLock { $0.service = remote }
        }
        let bridge = LocalService(
            settings: settings.forService, printsBodies: false, for: publisher.record.interest,
            session: choice.nameForDashboard, found: { publisher.post(.rows($0)) })
        guard let refusal = bridge.refusal else {
            bridge.observe(publisher.record)
            publisher.attach(bridge)
            let sentences = bridge.begin()
            if !sentences.isEmpty {
                let notice = sentences.joined(separator: "; ")
                publisher.post(.toast(SafeText(untrusted: notice), isError: true))
            }
            listen(bridge, choice.nameForDashboard, settings, publisher)
            watch(bridge, isSaved: choice.nameForDashboard != nil, settings, publisher)
            return state.withLock { $0.service = bridge }
        }
        if refusal.isInUse, let name = choice.nameForDashboard,
            let remote = attach(toHolderOf: name, settings, publisher)
        {
            return state.withLock { $0.service = remote }
        }
        if case .named = choice {
            let environment = ProcessInfo.processInfo.environment
            let holder = choice.nameForDashboard.flatMap { SessionRefusal(ofHolderOf: $0, environment: environment) }
            state.withLock { $0.refusal = holder ?? refusal }
            return publisher.post(.terminate)
        }
        publisher.post(.notSaved)
        let notice =
            refusal.isInUse
            ? EffectToasts.sessionInUse : EffectToasts.notSaved(SafeText(untrusted: refusal.message))
        publisher.post(.toast(settings.watch == nil ? notice : EffectToasts.withoutWatch(notice), isError: true))
        let substitute = LocalService(
            settings: settings.forService, printsBodies: false, for: publisher.record.interest,
            earlier: choice.nameForDashboard)
        substitute.observe(publisher.record)
        publisher.attach(substitute)
        state.withLock { $0.service = substitute }
    }
}

/// Windows of a service, and the service of a window.
extension SessionOpening {
    /// Attaches to the service of another host; without it the dashboard ends, because no task may run on this one.
    private func open(forwarded path: String, _ settings: Settings, _ publisher: RowPublisher) {
        var reason = ControlLines.noForwardedService(SafeText(untrusted: path)).string
        do throws(LinkFailure) {
            if let socket = ServiceSocket(path: path),
                let service = try connect(to: socket, nil, settings, publisher)
            {
                tell(service.welcome.notices + service.apply(settings), publisher)
                return state.withLock { $0.service = service }
            }
        } catch {
            reason = error.sentence
        }
        state.withLock { $0.refusal = SessionRefusal(reason) }
        publisher.post(.terminate)
    }

    /// Attaches to the process that has the session, which is started where none runs; nil where the tasks are to run
    /// in this one.
    private func attach(to session: String, _ settings: Settings, _ publisher: RowPublisher) -> RemoteService? {
        guard let socket = SessionSocket.of(session) else { return nil }
        let starter = ServiceStarter(
            session: session, arguments: settings.serviceArguments + settings.requestArguments,
            watches: settings.watch != nil)
        do throws(LinkFailure) {
            if let service = try connect(to: socket, starter, settings, publisher) {
                tell(service.welcome.notices + service.apply(settings), publisher)
                return service
            }
            guard settings.usesService, socket.isUsable else { return nil }
            let outcome = starter.start(at: socket)
            guard outcome != .failed, let service = try connect(to: socket, starter, settings, publisher) else {
                return nil
            }
            let ignored = outcome.hasEarlierSettings ? service.apply(settings) : []
            tell(service.welcome.notices + [outcome.sentence].compactMap(\.self) + ignored, publisher)
            return service
        } catch {
            tell([error.advised(session)], publisher)
            return nil
        }
    }

    /// Attaches to the process that has taken the session in the same moment; nil where it does not listen.
    private func attach(
        toHolderOf session: String, _ settings: Settings, _ publisher: RowPublisher
    ) -> RemoteService? {
        guard let socket = SessionSocket.of(session), ServiceStarter.holderListens(at: socket) else { return nil }
        return attach(to: session, settings, publisher)
    }

    private func connect(
        to socket: ServiceSocket, _ starter: ServiceStarter?, _ settings: Settings, _ publisher: RowPublisher
    ) throws(LinkFailure) -> RemoteService? {
        var restart: (@Sendable () -> Void)?
        if let starter {
            restart = { [weak publisher] in
                let outcome = starter.start(at: socket)
                if outcome == .failed, let sentence = starter.failure(at: socket) { publisher?.complain(sentence) }
                guard let sentence = outcome.sentence else { return }
                publisher?.tell(lack: SafeText(untrusted: sentence))
            }
        }
        let service = try RemoteService.connect(
            to: socket, program: Product.version, directory: settings.directory,
            isElsewhere: SessionSocket.forwarded != nil, restart: restart,
            onConnection: { [weak publisher] in publisher?.show($0) })
        guard let service else { return nil }
        publisher.post(.owned(.service))
        publisher.attach(service)
        if settings.retriesFailed { service.retryFailed() }
        return service
    }

    private func tell(_ sentences: [String], _ publisher: RowPublisher) {
        guard !sentences.isEmpty else { return }
        publisher.post(.toast(SafeText(untrusted: sentences.joined(separator: "; ")), isError: true))
    }

    /// Lets other windows and scripts use the transfers of this one; a failure concerns them alone.
    private func listen(
        _ service: LocalService, _ session: String?, _ settings: Settings, _ publisher: RowPublisher
    ) {
        guard let session, let socket = SessionSocket.of(session) else { return }
        let welcome = SessionSocket.welcome(session: session, directory: settings.directory)
        let listener = try? ServiceListener(service, at: socket, welcome: welcome) { publisher.post(.terminate) }
        state.withLock { $0.listener = listener }
    }
}

extension ServiceStarter.Outcome {
    /// Whether the service has the settings of the one that was killed.
    var hasEarlierSettings: Bool { if case .restarted = self { true } else { false } }

    /// What the service lacks; nil where it has what it should have.
    var sentence: String? {
        switch self {
        case .failed, .started: nil
        case .restarted(let options):
            options.isEmpty ? nil : ProgramErrors.restartedWithout(options.joined(separator: ", "))
        case .startedAnew: ProgramErrors.startedAnew
        }
    }
}

/// A folder whose files become tasks.
extension SessionOpening {
    fileprivate func watch(
        _ service: LocalService, isSaved: Bool, _ settings: Settings, _ publisher: RowPublisher
    ) {
        guard let setting = settings.watch else { return }
        do throws(SystemCallError) {
            let watch = try FolderWatch(setting, for: service, directory: settings.directory, isSaved: isSaved) {
                publisher.post(.toast($0, isError: $1))
            }
            state.withLock { $0.watch = watch }
        } catch {
            publisher.post(.toast(SafeText(untrusted: "\(error)"), isError: true))
        }
    }
}

extension RemoteService {
    /// Applies the limits of this run's command line; returns a sentence about options that only a new service takes.
    fileprivate func apply(_ settings: Settings) -> [String] {
        let names = settings.serviceArguments.map { String($0.prefix { $0 != "=" }) }
        if names.contains(where: { $0.hasPrefix("--max-") }) {
            send(
                .setLimits(
                    TransferLimits(all: settings.maximumConcurrent, perHost: settings.maximumPerHost)))
        }
        if names.contains(where: { $0.hasPrefix("--limit-") }) { send(.setRates(settings.rates)) }
        return settings.untaken
    }
}

extension Settings {
    /// Sentences about the options of this command line that a running service does not take, or not for all tasks.
    var untaken: [String] {
        let ignored = Self.names(of: serviceArguments).filter {
            !$0.hasPrefix("--max-") && !$0.hasPrefix("--limit-") && !["--dir", "--profile"].contains($0)
        }
        let own = Self.names(of: requestArguments)
        return (ignored.isEmpty ? [] : [ProgramErrors.serviceRuns(ignored.joined(separator: ", "))])
            + (own.isEmpty ? [] : [ProgramErrors.serviceTakesForWindow(own.joined(separator: ", "))])
    }

    /// The names of options, each once.
    private static func names(of arguments: [String]) -> [String] {
        arguments.map { String($0.prefix { $0 != "=" }) }
            .reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }
}

/// Adds jobs in parallel to the first frame, which thousands of them must not delay.
enum JobLoader {
    /// The number of rows that a screen may show.
    private static let pageLength = 128
    /// The number of jobs that are made at once.
    private static let chunkLength = 4_096

    /// Adds the jobs on its own thread: the first page, and all others once its rows are posted.
    static func load(_ jobs: JobList, into service: any TransferService, _ publisher: RowPublisher) {
        DispatchQueue(label: "netdash.adding").async {
            var count = 0
            service.add(pages: {
                let isFirst = count == 0
                if count == pageLength { publisher.waitForFirstRows() }
                let chunk = jobs.next(isFirst ? pageLength : chunkLength)
                count += chunk.count
                return chunk
            })
        }
    }
}
