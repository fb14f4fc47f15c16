internal import Dispatch
internal import FleetQueue
internal import Synchronization

/// Secrets that commands of the worker's own list print: each command runs once for all jobs that need it now.
final class CommandSecrets: Sendable {
    private enum Entry {
        /// Next: ended.
        case running
        /// Next: running, when its time is over and a job asks.
        case ended(Result<String, TransferFault>, until: Double)
    }

    /// The seconds for which an output counts; a failure counts for the jobs that have waited for it.
    private static let validity = 60.0
    private static let failureValidity = 1.0

    private let entries = Mutex<[String: Entry]>([:])
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    /// What the commands have printed; one without an output begins to run, and the bell rings at its end.
    func outputs(of commands: Set<String>, at now: Double) -> [String: Result<String, TransferFault>] {
        guard !commands.isEmpty else { return [:] }
        var outputs: [String: Result<String, TransferFault>] = [:]
        let missing = entries.withLock { entries in
            commands.filter { command in
                switch entries[command] {
                case .running: return false
                case .ended(let output, let until) where now < until:
                    outputs[command] = output
                    return false
                case .ended, nil:
                    entries[command] = .running
                    return true
                }
            }
        }
        for command in missing {
            DispatchQueue.global().async { [self] in
                let output = SecretCommand.run(command)
                note(output, of: command)
            }
        }
        return outputs
    }

    private func note(_ output: Result<String, TransferFault>, of command: String) {
        let validity = (try? output.get()) == nil ? Self.failureValidity : Self.validity
        let until = FleetClock.now() + validity
        entries.withLock { $0[command] = .ended(output, until: until) }
        bell.ring()
    }
}
