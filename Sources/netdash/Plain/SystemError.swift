import Glibc

/// The system's error numbers.
enum SystemError {
    /// The system's own words.
    static func text(_ number: Int32) -> String {
        guard let words = strerror(number) else { return "error \(number)" }
        return String(cString: words)
    }

    /// Whether the disk is full or read-only.
    static func isDiskRefusal(_ number: Int32) -> Bool {
        number == ENOSPC || number == EDQUOT || number == EROFS
    }
}
