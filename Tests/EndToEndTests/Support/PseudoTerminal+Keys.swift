import Glibc
import TerminalTestSupport

extension PseudoTerminal {
    /// Presses keys, and waits until the program has begun to paint the whole screen anew after the last of them.
    ///
    /// Frames are drawn when everything that was typed is taken, so nothing on the screen is older than the keys then.
    func press(_ keys: String) async throws {
        pump()
        let seen = bytes.count
        try type(keys + "\u{C}")
        _ = try await waitUntil("a whole repaint", otherwise: { self.screen.text }) {
            self.pump()
            return self.bytes[seen...].contains(sequence: Self.clearing) ? true : nil
        }
    }

    /// What tmux's and xterm's terminfo erase the screen with.
    private static let clearing = Array("\u{1B}[H\u{1B}[".utf8)
}

extension ArraySlice<UInt8> {
    /// Whether some bytes stand one after the other in these.
    func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
