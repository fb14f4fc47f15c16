import CNcurses
import Glibc

/// Keeps standard error away from the screen: what libraries write there comes out after the screen is gone.
final class ErrorCapture {
    private let file: MemoryFile

    /// Begins to capture.
    ///
    /// A standard error that is no terminal is left alone, because it cannot disturb the screen.
    init?() throws(TerminalError) {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        file = try MemoryFile(name: "netdash-stderr")
        guard cn_errors_capture(file.descriptor) == 0 else { throw .system(call: "dup2", errno: errno) }
    }

    deinit {
        cn_errors_replay()
    }
}
