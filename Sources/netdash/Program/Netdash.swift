import CLinux
import Dashboard
import Foundation
import Glibc

/// The program's entry.
@main
enum Netdash {
    static func main() {
        // Nothing has been opened yet; without it a download could get the number of a closed standard error.
        guard cl_hold_standard_descriptors() == 0 else { _exit(ExitCode.taskFailed.rawValue) }
        cl_ignore_sigpipe()
        let ending = run(Array(Swift.CommandLine.arguments.dropFirst()))
        // Not exit: it tears libraries down while the transfer loop's thread may still be inside them, which crashes.
        // Everything was written with write, so nothing is left in a buffer.
        withExtendedLifetime(ending.remains) { _exit(ending.status.rawValue) }
    }

    /// Runs the program with arguments.
    static func run(_ arguments: [String]) -> Ending {
        do throws(UsageError) {
            let invocation = try CommandLine.parse(arguments) { () throws(UsageError) in
                try ConfigurationFile.read(environment: ProcessInfo.processInfo.environment)
            }.get()
            return try Run(invocation: invocation).carryOut()
        } catch {
            complain(error.message)
            return Ending(status: .usage)
        }
    }

    /// Complains in one sentence on standard error.
    static func complain(_ sentence: String) { say("netdash: " + SafeText(untrusted: sentence)) }

    /// Says one line on standard error.
    static func say(_ line: SafeText) {
        // Nobody is left to tell when standard error is gone.
        _ = Descriptor.writeAll(Array((line + "\n").string.utf8), to: STDERR_FILENO)
    }
}

/// The end of a call of the program.
struct Ending {
    /// The status for the shell.
    let status: ExitCode
    /// The objects that go with the process: to release thousands of rows one by one takes longer.
    var remains: AnyObject?
}
