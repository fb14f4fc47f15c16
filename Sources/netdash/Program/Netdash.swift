import CLinux
import Dashboard
import Foundation
import Glibc
import TransferService

/// The program's entry.
@main
enum Netdash {
    static func main() {
        // Before any open: otherwise a download could get the number of a closed standard error.
        guard cl_hold_standard_descriptors() == 0 else { _exit(ExitCode.taskFailed.rawValue) }
        cl_ignore_sigpipe()
        // Before the first thread, because it changes the environment.
        OwnTerminalTypes.offer()
        let arguments = Self.arguments()
        hideSecrets(of: arguments)
        let ending = refusal() ?? run(arguments)
        // Not exit: it tears libraries down while the transfer loop's thread may still be inside them, which crashes.
        // Everything was written with write, so no buffer remains.
        withExtendedLifetime(ending.remains) { _exit(ending.status.rawValue) }
    }

    /// The arguments after the program's name.
    ///
    /// Swift's runtime searches for them beside the environment, which a preloaded library may have moved before main;
    /// the C library knows their address.
    private static func arguments() -> [String] {
        let count = cl_argument_count()
        guard count > 0 else { return Array(Swift.CommandLine.arguments.dropFirst()) }
        return (1..<max(count, 1)).compactMap { cl_argument($0).map { String(cString: $0) } }
    }

    /// Overwrites secrets in the system's list of processes, which every user can read.
    ///
    /// They were visible until now, and a shell may have them in its history; so `@env:` and `@file:` are safer.
    private static func hideSecrets(of arguments: [String]) {
        for (index, shown) in ArgumentMask.shown(arguments).enumerated() where shown != arguments[index] {
            guard cl_overwrite_argument(Int32(index + 1), shown) == 0 else {
                return complain(ProgramErrors.visibleSecret)
            }
        }
    }

    /// The number of the first argument whose bytes are not UTF-8; nil when all are text.
    ///
    /// Swift replaces such bytes with another character, which would silently be sent, or used as a path.
    private static func argumentThatIsNoText() -> Int? {
        (0..<cl_argument_count()).first { number in
            cl_argument(number).map { String(validatingCString: $0) == nil } ?? false
        }.map { Int($0) }
    }

    /// Refuses bytes that are no text, in an argument or in the name of a folder; nil where all are text.
    ///
    /// The argument itself is not shown, because it may be a secret.
    private static func refusal() -> Ending? {
        if let number = argumentThatIsNoText() {
            complain(ProgramErrors.notUTF8(argument: number))
        } else if let name = FolderCheck.unusableVariable() {
            complain(ProgramErrors.notUTF8(variable: name))
        } else {
            return nil
        }
        return Ending(status: .usage)
    }

    static func run(_ arguments: [String]) -> Ending {
        do throws(UsageError) {
            let environment = ProcessInfo.processInfo.environment
            var invocation = try CommandLine.parse(
                arguments,
                configuration: { () throws(UsageError) in try ConfigurationFile.read(environment: environment) },
                ariaFile: { (path) throws(UsageError) in try AriaFile.text(of: path, environment: environment) },
                home: UserFolder.home(environment: environment)
            ).get()
            if let file = invocation.requestFile {
                let rules = invocation.hostRules
                invocation.jobs = try file.jobs(environment: environment, beside: rules.base).map(rules.applied)
            }
            return try Run(invocation: invocation).carryOut()
        } catch {
            complain(error.message)
            return Ending(status: ExitDialect(of: arguments).status(of: error))
        }
    }

    static func complain(_ sentence: String) { StandardStreams.complain(sentence) }

    /// Prints one line on standard error.
    static func say(_ line: SafeText) { StandardStreams.say(line) }
}

/// The end of a call of the program.
struct Ending {
    /// The status for the shell.
    let status: ExitCode
    /// Objects that live until the process ends: releasing thousands of rows takes longer.
    var remains: AnyObject?
}
