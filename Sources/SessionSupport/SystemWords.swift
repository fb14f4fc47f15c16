import Glibc

/// The meaning of the system's error numbers.
package enum SystemWords {
    /// Returns the system's description.
    package static func text(_ number: Int32) -> String {
        guard let words = strerror(number) else { return "error \(number)" }
        return String(cString: words)
    }

    /// Returns whether an error means that the disk is full or read-only.
    package static func isDiskRefusal(_ number: Int32) -> Bool {
        number == ENOSPC || number == EDQUOT || number == EROFS
    }
}
