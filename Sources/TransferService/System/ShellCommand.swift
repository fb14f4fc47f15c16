import SessionSupport

/// A shell command of the user whose output this program reads.
struct ShellCommand: Sendable {
    /// A failure, as a phrase.
    struct Failure: Error, Equatable {
        let cause: String
    }

    /// The command line, for `/bin/sh -c`.
    let text: String
    let environment: [String: String]
    /// The milliseconds after which it is killed.
    var timeLimit: Int32 = 60_000

    /// Runs it with an input and returns its output; blocks until it has ended.
    func output(input: [UInt8] = []) throws(Failure) -> [UInt8] {
        let shell = ChildProcess(
            program: "/bin/sh", arguments: ["/bin/sh", "-c", text], environment: environment, timeLimit: timeLimit)
        do throws(ChildProcess.Problem) {
            return try shell.output(input: input)
        } catch {
            switch error {
            case .system(let number): throw Failure(cause: SystemWords.text(number))
            case .exit(let status, let errors): throw Self.failure(CommandReasons.exitStatus(status), errors)
            case .signal(let number, let errors): throw Self.failure(CommandReasons.signal(number), errors)
            case .time: throw Failure(cause: CommandReasons.noEnd(seconds: Int(timeLimit / 1000)))
            }
        }
    }

    private static func failure(_ cause: String, _ errors: [UInt8]) -> Failure {
        let line = errors.prefix { $0 != 0x0A }
        return Failure(
            cause: line.isEmpty ? cause : CommandReasons.cause(cause, String(decoding: line, as: UTF8.self)))
    }
}
