import Dashboard
import Glibc
import TransferService

/// Lines on standard output and standard error.
enum StandardStreams {
    static func print(_ lines: [String]) -> ExitCode {
        guard !lines.isEmpty else { return .success }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard Descriptor.writeAll(bytes, to: STDOUT_FILENO) else {
            let unwritten = UnwrittenReport(output: UnwrittenReport.name(ofStream: STDOUT_FILENO), errno: errno)
            complain(unwritten.sentence)
            return unwritten.exitCode
        }
        return .success
    }

    static func complain(_ sentence: String) { say("netdash: " + SafeText(untrusted: sentence)) }

    /// Prints one line on standard error.
    static func say(_ line: SafeText) {
        // Without standard error no complaint is possible.
        _ = Descriptor.writeAll(Array((line + "\n").string.utf8), to: STDERR_FILENO)
    }
}
