import Glibc

extension PseudoTerminal {
    /// How many bytes the kernel holds ready to be read from the terminal.
    private var unreadCount: Int32 {
        var count: Int32 = 0
        return ioctl(driver, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    /// Asks for repaints that nobody reads until the terminal takes no more of them.
    ///
    /// The kernel shows what has passed its line discipline, some 4 KB; behind that it keeps some 8 KB more. The
    /// repaints after the first sign of fullness are many times as much.
    func fill() async throws {
        var repaintsWhenFull = 0
        _ = try await waitUntil("a full terminal") {
            try type(String(repeating: "\u{C}", count: 10), looking: false)
            if unreadCount >= 4_000 { repaintsWhenFull += 1 }
            return repaintsWhenFull > 40 ? true : nil
        }
    }
}
