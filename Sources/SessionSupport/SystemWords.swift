import Glibc

/// What error numbers of the system mean.
package enum SystemWords {
    /// The system's own words.
    package static func text(_ number: Int32) -> String {
        guard let words = strerror(number) else { return "error \(number)" }
        return String(cString: words)
    }

    /// Whether the disk is full or read-only.
    package static func isDiskRefusal(_ number: Int32) -> Bool {
        number == ENOSPC || number == EDQUOT || number == EROFS
    }
}
