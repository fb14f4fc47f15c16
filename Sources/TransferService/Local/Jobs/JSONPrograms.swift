import Glibc
import SessionCore
import SessionSupport

/// Runs programs in the language of jq, each in a process of its own.
///
/// The process has limits and no environment: a program that does not end, or needs too much memory, harms nothing
/// else. A class, because tasks share the results of checks, and the threads that wait for processes. Safe from any
/// thread.
final class JSONPrograms: Sendable {
    private struct State {
        /// The problems of checked programs; nil for a valid one.
        var known: [JSONProgram: JSONProgram.Failure?] = [:]
        var orders = FIFO<@Sendable (SystemThread.Refusal?) -> Void>()
        var threads = 0

        mutating func takeOrders() -> [@Sendable (SystemThread.Refusal?) -> Void] {
            var taken: [@Sendable (SystemThread.Refusal?) -> Void] = []
            while let order = orders.popFirst() { taken.append(order) }
            return taken
        }
    }

    /// The most processes at once.
    private static let threadLimit = 4
    private static let memoryMegabytes = 512
    private static let outputMegabytes = 1

    private let environment: [String: String]
    private let secondsLimit: Int
    private let state = Locked(State())

    /// - Parameter secondsLimit: the seconds after which a program is ended.
    init(environment: [String: String], secondsLimit: Int = 10) {
        (self.environment, self.secondsLimit) = (environment, secondsLimit)
    }

    // MARK: - Checks

    /// Why a program cannot be run; nil for a valid one.
    ///
    /// Blocks until jq has read it.
    func problem(with program: JSONProgram) -> JSONProgram.Failure? {
        if let known = state.withLock({ $0.known[program] }) { return known }
        // Without input jq reads the program and runs nothing.
        let problem: JSONProgram.Failure?
        switch output(of: program, for: []) {
        case .success: problem = nil
        // jq may be installed before the next check.
        case .failure(.missing): return .missing
        case .failure(let failure): problem = failure
        }
        state.withLock { $0.known[program] = .some(problem) }
        return problem
    }

    /// Calls back with the first problem of some programs, at once where all of them are known.
    func check(_ programs: [JSONProgram], _ done: @escaping @Sendable (JSONProgram.Failure?) -> Void) {
        let known = state.withLock { state in programs.map { state.known[$0] } }
        guard known.contains(where: { $0 == nil }) else { return done(known.compactMap { $0 ?? nil }.first) }
        submit { [self] refusal in
            if let refusal { return done(Self.failure(ofThread: refusal)) }
            for program in programs {
                if let problem = problem(with: program) { return done(problem) }
            }
            done(nil)
        }
    }

    // MARK: - Runs

    /// Runs programs for a body, one after the other, and calls back on another thread with their outcomes.
    func run(
        _ programs: [JSONProgram], for body: [UInt8],
        _ done: @escaping @Sendable ([JSONProgram: JSONProgram.Outcome]) -> Void
    ) {
        submit { [self] refusal in
            var outcomes: [JSONProgram: JSONProgram.Outcome] = [:]
            for program in programs {
                outcomes[program] =
                    refusal.map { .failure(Self.failure(ofThread: $0)) } ?? outcome(of: program, for: body)
            }
            done(outcomes)
        }
    }

    /// The results of a program for a body; blocks until it has ended.
    func outcome(of program: JSONProgram, for body: [UInt8]) -> JSONProgram.Outcome {
        output(of: program, for: body).flatMap { output in
            JSONProgram.results(output).map { .success($0) } ?? .failure(.error(PathErrors.programValues))
        }
    }

    private func output(of program: JSONProgram, for body: [UInt8]) -> Result<[UInt8], JSONProgram.Failure> {
        guard !program.text.utf8.contains(0) else { return .failure(.error(PathErrors.programZero)) }
        guard let path = InstalledProgram.path(of: "jq", environment: environment) else { return .failure(.missing) }
        var process = ChildProcess(
            program: path,
            // Behind a pipe a text is neither an option nor a program that includes files.
            arguments: ["jq", "-c", "-L", "/nonexistent", ".|" + program.text],
            environment: ["PATH": "/nonexistent", "HOME": "/nonexistent"], timeLimit: Int32(secondsLimit * 1000))
        process.outputLimit = Self.outputMegabytes << 20
        process.limits = ChildProcess.Limits(
            memory: Int64(Self.memoryMegabytes) << 20, processorSeconds: Int64(secondsLimit + 1))
        do throws(ChildProcess.Problem) {
            return .success(try process.output(input: body))
        } catch {
            return .failure(failure(error))
        }
    }

    private func failure(_ problem: ChildProcess.Problem) -> JSONProgram.Failure {
        switch problem {
        case .system(let number): return .error(SystemWords.text(number))
        case .time: return .time(seconds: secondsLimit)
        case .exit(let status, let errors):
            let reason = JSONProgram.reason(errors)
            if reason.contains(PathErrors.unwrittenOutput) { return .output(megabytes: Self.outputMegabytes) }
            return .error(reason.isEmpty ? CommandReasons.exitStatus(status) : reason)
        case .signal(let number, _):
            switch number {
            case SIGXFSZ: return .output(megabytes: Self.outputMegabytes)
            case SIGXCPU, SIGKILL: return .time(seconds: secondsLimit)
            // jq aborts without memory, and crashes when deep nesting uses up its stack.
            case SIGABRT, SIGSEGV, SIGBUS: return .memory(megabytes: Self.memoryMegabytes)
            default: return .error(CommandReasons.signal(number))
            }
        }
    }

    private static func failure(ofThread refusal: SystemThread.Refusal) -> JSONProgram.Failure {
        .error(SystemWords.text(refusal.number))
    }

    // MARK: - Threads

    /// Runs an order on one of a few threads, or passes it the reason why none could be started.
    private func submit(_ order: @escaping @Sendable (SystemThread.Refusal?) -> Void) {
        let startsThread = state.withLock { state in
            state.orders.append(order)
            guard state.threads < Self.threadLimit else { return false }
            state.threads += 1
            return true
        }
        guard startsThread else { return }
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-jq") { [self] in work() }
        } catch {
            let orphans = state.withLock { state in
                state.threads -= 1
                return state.threads == 0 ? state.takeOrders() : []
            }
            for orphan in orphans { orphan(error) }
        }
    }

    private func work() {
        while let order = nextOrder() { order(nil) }
    }

    private func nextOrder() -> (@Sendable (SystemThread.Refusal?) -> Void)? {
        state.withLock { state in
            let order = state.orders.popFirst()
            if order == nil { state.threads -= 1 }
            return order
        }
    }
}
