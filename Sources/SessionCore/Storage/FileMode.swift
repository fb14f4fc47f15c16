import Glibc
import Support

/// The modes files are created with.
enum FileMode {
    /// Mode of a part and of its meta: for its owner alone until it is whole.
    static let part: mode_t = 0o600
    /// Mode of a finished file: that of any new file, less what the user's umask takes away.
    ///
    /// Read from the kernel once: `umask(2)` could only be read by changing it for all threads.
    static let finished: mode_t = {
        let status = SmallFile.text(at: "/proc/self/status")
        for line in status.split(separator: "\n") where line.hasPrefix("Umask:") {
            let digits = ByteText.trimmed(line.dropFirst("Umask:".count))
            if let mask = mode_t(digits, radix: 8) { return 0o666 & ~mask }
        }
        return 0o600
    }()
}
