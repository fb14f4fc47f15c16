import Foundation
import SessionSupport

/// The secrets that commands print.
///
/// A command runs once for all tasks that name it, and again only to replace a secret that a server refused. A class,
/// because the checks before a run and the run itself share what was printed. Safe from any thread.
package final class SecretCommands: Sendable {
    /// The secrets of this process: the checks before the run belong to no service.
    package static let shared = SecretCommands()

    typealias Outcome = Result<String, ShellCommand.Failure>

    private struct Entry {
        var secret: String?
        var isRunning = false
        var waiters: [@Sendable (Outcome) -> Void] = []
    }

    private let entries = Locked<[String: Entry]>([:])
    private let timeLimit: Int32

    /// - Parameter timeLimit: the milliseconds after which a command is killed.
    init(timeLimit: Int32 = 60_000) { self.timeLimit = timeLimit }

    /// The known secrets of commands.
    func known(of commands: [String]) -> [String: String] {
        entries.withLock { entries in
            commands.reduce(into: [:]) { $0[$1] = entries[$1]?.secret }
        }
    }

    /// The secret of a command, which blocks if it was not run yet.
    func secret(of command: String, _ environment: [String: String]) throws(ShellCommand.Failure) -> String {
        let found = Monitor<Outcome?>(nil)
        request(command, environment) { outcome in found.change { $0 = outcome } }
        return try found.wait { $0 }.get()
    }

    /// Makes the secrets of commands known and calls back with the first failure, at once where they are known.
    func prepare(
        _ commands: ArraySlice<String>, _ environment: [String: String],
        _ done: @escaping @Sendable (ShellCommand.Failure?) -> Void
    ) {
        guard let command = commands.first else { return done(nil) }
        request(command, environment) { [self] outcome in
            switch outcome {
            case .success: prepare(commands.dropFirst(), environment, done)
            case .failure(let failure): done(failure)
            }
        }
    }

    /// Replaces refused secrets and calls back with whether one has changed.
    func renew(
        _ refused: [String: String], _ environment: [String: String], _ done: @escaping @Sendable (Bool) -> Void
    ) {
        renew(Array(refused)[...], environment, hasChanged: false, done)
    }

    private func renew(
        _ refused: ArraySlice<(key: String, value: String)>, _ environment: [String: String], hasChanged: Bool,
        _ done: @escaping @Sendable (Bool) -> Void
    ) {
        guard let first = refused.first else { return done(hasChanged) }
        request(first.key, insteadOf: first.value, environment) { [self] outcome in
            let isOther = (try? outcome.get()).map { $0 != first.value } ?? false
            renew(refused.dropFirst(), environment, hasChanged: hasChanged || isOther, done)
        }
    }

    /// Calls back with a command's secret: the known one unless it was refused, or the output of one run.
    private func request(
        _ command: String, insteadOf refused: String? = nil, _ environment: [String: String],
        _ done: @escaping @Sendable (Outcome) -> Void
    ) {
        let (known, isFirst) = entries.withLock { entries -> (String?, Bool) in
            var entry = entries[command] ?? Entry()
            if !entry.isRunning, let secret = entry.secret, secret != refused { return (secret, false) }
            entry.waiters.append(done)
            defer { entries[command] = entry }
            if entry.isRunning { return (nil, false) }
            entry.isRunning = true
            return (nil, true)
        }
        if let known { return done(.success(known)) }
        guard isFirst else { return }
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-secret") { [self] in run(command, environment) }
        } catch {
            end(command, .failure(ShellCommand.Failure(cause: SystemWords.text(error.number))))
        }
    }

    private func run(_ command: String, _ environment: [String: String]) {
        do throws(ShellCommand.Failure) {
            let shell = ShellCommand(text: command, environment: environment, timeLimit: timeLimit)
            let line = try shell.output().prefix { $0 != 0x0A && $0 != 0x0D }
            guard !line.isEmpty else { throw ShellCommand.Failure(cause: CommandReasons.noOutput) }
            end(command, .success(String(decoding: line, as: UTF8.self)))
        } catch {
            end(command, .failure(error))
        }
    }

    private func end(_ command: String, _ outcome: Outcome) {
        let waiters = entries.withLock { entries in
            var entry = entries[command] ?? Entry()
            entry.isRunning = false
            if case .success(let secret) = outcome { entry.secret = secret }
            defer {
                entry.waiters = []
                entries[command] = entry
            }
            return entry.waiters
        }
        for waiter in waiters { waiter(outcome) }
    }
}
