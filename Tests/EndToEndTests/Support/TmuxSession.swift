import CLinux
import Foundation
import Glibc
import TerminalTestSupport

/// A program inside tmux: a second terminal, written by somebody else, with a shell that has job control.
///
/// Every session has a server of its own, so that nothing of the user's configuration or sessions is touched.
final class TmuxSession {
    private let server = "netdash-\(getpid())-\(UInt32.random(in: .min ... .max))"

    /// What programs keep for their user; no test touches that of whoever runs it.
    private let userFolder: UserFolder
    /// Where tmux writes what the programs write.
    private let folder: ScratchFolder
    /// What was shown until now, to its last sentence that was waited for.
    private var replay: ScreenReplay

    /// Whether tmux is installed.
    static var isAvailable: Bool { access("/usr/bin/tmux", X_OK) == 0 }

    /// Starts a shell, or another command, on a screen of a size.
    init(rows: Int = 24, columns: Int = 80, command: [String] = ["/bin/bash", "--norc", "--noprofile"]) throws {
        userFolder = try UserFolder()
        folder = try ScratchFolder()
        _ = setlocale(LC_ALL, "C.UTF-8")
        replay = ScreenReplay(VirtualScreen(columns: columns, rows: rows) { Int(cl_wcwidth($0.value)) })
        let size = ["-x", String(columns), "-y", String(rows)]
        _ = try tmux(["new-session", "-d", "-s", "test"] + size + command)
        _ = try tmux(["pipe-pane", "-O", "-t", "=test:", "exec cat >\(folder.path(of: "written"))"])
    }

    deinit {
        _ = try? tmux(["kill-server"])
    }

    /// Presses keys by tmux's names for them: `Enter`, `C-z`, `Down`, `Escape`, or characters.
    func send(_ keys: String...) throws {
        _ = try tmux(["send-keys", "-t", "=test:"] + keys)
    }

    /// Types text as it is.
    func type(_ text: String) throws {
        _ = try tmux(["send-keys", "-t", "=test:", "-l", text])
    }

    /// Pastes text as a person does, bracketed when the program asked for that.
    func paste(_ text: String) throws {
        _ = try tmux(["set-buffer", text])
        _ = try tmux(["paste-buffer", "-p", "-t", "=test:"])
    }

    func resize(rows: Int, columns: Int) throws {
        _ = try tmux(["resize-window", "-t", "=test:", "-x", String(columns), "-y", String(rows)])
    }

    /// The screen's rows, without blanks at their ends.
    func capture() throws -> [String] {
        try tmux(["capture-pane", "-p", "-t", "=test:"]).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Waits until the screen is as wanted, and returns its rows.
    @discardableResult
    func waitUntilScreen(
        _ what: String, within limit: Duration = patience, _ isWanted: ([String]) -> Bool
    ) async throws -> [String] {
        var last: [String] = []
        return try await waitUntil(what, within: limit, otherwise: { last.joined(separator: "\n") }) {
            last = try capture()
            return isWanted(last) ? last : nil
        }
    }

    /// Waits until a sentence has been on the screen since the one before: one that leaves by itself may have done so.
    ///
    /// The screen has the size that it had at first.
    func waitForToast(_ sentence: String) async throws {
        _ = try await waitUntil("the sentence \(sentence)", otherwise: { replay.screen.text }) {
            replay.shows(sentence, in: folder.bytes(of: "written") ?? []) ? true : nil
        }
    }

    /// Runs a tmux command and returns its output.
    private func tmux(_ arguments: [String]) throws -> String {
        // A file and no pipe: the server that the first command starts would keep a pipe open for ever. For the same
        // reason this is not Foundation's Process, which waits until nobody holds one of its sockets.
        let file = cl_memfd("tmux")
        guard file >= 0 else { throw WaitingFailed(description: "No file in memory: errno \(errno)") }
        defer { close(file) }
        let environment = userFolder.environment.merging([
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
        ]) { $1 }
        let words = ["/usr/bin/tmux", "-L", server, "-f", "/dev/null"] + arguments
        let process = try Program.start(words, environment: environment, output: file, error: file)
        let status = Program.wait(for: process)
        let text = try String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8)
        guard status == 0 else {
            throw WaitingFailed(description: "tmux \(arguments.joined(separator: " ")) ended with \(status): \(text)")
        }
        return text
    }
}
