import SessionSupport
import TransferValues

/// Answers the requests of aria2's interface.
///
/// It knows no connection: a text comes in, and an answer goes out. Safe from any thread; an answer may wait for a disk.
package final class AriaServer: Sendable {
    /// The most calls of a batch or of a multicall.
    package static let mostCalls = AriaError.mostCalls

    struct State {
        var gids: GIDBook
        var speeds = SpeedBook()
        /// What clients have set for all tasks.
        var options: [String: String] = [:]
        /// Options without an effect that clients have changed in tasks.
        var ownOptions: [UInt64: [String: String]] = [:]
        /// Removed tasks that leave the list as soon as they have ended.
        var leaving: Set<UInt64> = []
        /// When tasks that ran were removed, which stay in the list.
        var removed: [UInt64: Int64] = [:]
        /// The options that the log has.
        var noted: Set<String> = []
        var guesses = AriaGuesses()
        var isStopping = false
        /// When a client last asked for anything, in milliseconds of the rows' clock; nil before that.
        var lastRequest: Int64?
    }

    let tasks: any AriaTasks
    let program: AriaProgram
    private let secret: AriaSecret?
    /// The number of this run, of 40 hexadecimal digits.
    let session: String
    let state: Locked<State>

    /// - Parameters:
    ///   - options: aria2's options for all tasks.
    ///   - seed: the kept one of a saved session, and a new one for any other.
    package init(
        _ tasks: any AriaTasks, _ program: AriaProgram, secret: AriaSecret?, options: [String: String] = [:],
        seed: GIDSeed = GIDSeed()
    ) {
        (self.tasks, self.program, self.secret) = (tasks, program, secret)
        session = ByteText.hexadecimal((0..<20).map { _ in UInt8.random(in: .min ... .max) })
        var state = State(gids: GIDBook(seed))
        state.options = options
        self.state = Locked(state)
    }

    package var needsToken: Bool { secret != nil }

    /// Whether a text is the token; true where none is needed.
    package func accepts(token: some StringProtocol) -> Bool {
        guard let secret else { return true }
        let now = program.now()
        return state.withLock { state in
            guard state.guesses.mayCompare(at: now) else { return false }
            if secret.matches(token) { return true }
            state.guesses.note(at: now)
            return false
        }
    }

    /// Whether a client has asked for the end of the service, which follows its answer.
    package var isStopping: Bool { state.withLock(\.isStopping) }

    /// When a client last asked for anything, in milliseconds of the rows' clock; nil before that.
    package var lastRequest: Int64? { state.withLock(\.lastRequest) }

    // MARK: - Calls

    /// The outcome of one call.
    struct Outcome {
        var result: Result<JSONValue, AriaError>
        /// Whether the call had the token.
        var wasAccepted = false
        /// Whether the answer waits, because the token was wrong.
        var isLate = false
    }

    /// Runs a method; the token is the first parameter.
    ///
    /// - Parameter isTrusted: whether the connection has shown the token already.
    func run(_ name: String, _ parameters: [JSONValue], isTrusted: Bool, isNested: Bool = false) -> Outcome {
        var parameters = parameters[...]
        var token: Substring?
        if let text = parameters.first?.text, text.hasPrefix(AriaSecret.mark) {
            token = text.dropFirst(AriaSecret.mark.count)
            parameters = parameters.dropFirst()
        }
        let isRight = token.map { accepts(token: $0) } ?? (secret == nil)
        let method = AriaMethod.named(name)
        if isNested, method?.name == "system.multicall" {
            return Outcome(result: .failure(AriaError(AriaErrors.recursive)))
        }
        guard isRight || isTrusted || method?.needsToken == false else {
            return Outcome(result: .failure(.unauthorised), isLate: true)
        }
        guard let method else { return Outcome(result: .failure(AriaError(AriaErrors.noMethod(name)))) }
        let now = program.now()
        state.withLock { $0.lastRequest = now }
        settleLeaving()
        let call = AriaCall(server: self, parameters: Array(parameters), isTrusted: isTrusted)
        do throws(AriaError) {
            let value = try method.run(call)
            return Outcome(result: .success(value), wasAccepted: token != nil && isRight, isLate: call.isLate)
        } catch {
            return Outcome(result: .failure(error), wasAccepted: token != nil && isRight)
        }
    }

    /// The answer to an item of a multicall.
    func item(_ item: JSONValue, of call: AriaCall) -> JSONValue {
        guard case .object = item else { return AriaError(AriaErrors.expectedStruct).json }
        guard let name = item["methodName"]?.text else { return AriaError(AriaErrors.missingMethodName).json }
        let outcome = run(name, item["params"]?.list ?? [], isTrusted: call.isTrusted, isNested: true)
        if outcome.isLate { call.delay() }
        switch outcome.result {
        case .success(let value): return .array([value])
        case .failure(let error): return error.json
        }
    }

    // MARK: - Tasks

    func gids() -> GIDBook {
        let known = state.withLock(\.gids)
        guard let news = GIDBook.News(after: known.last, of: tasks) else { return known }
        return learn(news)
    }

    @discardableResult
    func learn(_ news: GIDBook.News) -> GIDBook {
        let owners = state.withLock { $0.gids.owners(of: news) }
        let gone = owners.isEmpty ? [] : Set(owners).subtracting(tasks.figures(of: owners).map(\.id))
        return state.withLock { state in
            state.gids.learn(news, gone: gone)
            return state.gids
        }
    }

    /// The GID of a row, which may be newer than the answer to the client that has added it.
    package func gid(of id: UInt64) -> String { gids().gid(of: id).description }

    func stop() { state.withLock { $0.isStopping = true } }

    /// The folder of downloads without their own.
    var directory: String { state.withLock { $0.options["dir"] } ?? program.directory }

    /// Logs an option without an effect, once.
    func note(_ name: String) {
        guard state.withLock({ $0.noted.count < 200 && $0.noted.insert(name).inserted }) else { return }
        program.log(AriaLines.kept(SafeText(untrusted: name)))
    }
}
