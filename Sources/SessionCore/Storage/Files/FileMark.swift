import CLinux
import Glibc

/// The extended attribute by which a file says what it is to this library.
///
/// A part carries it from its creation on, so that a file of the user's that merely has a part's name is told from one. A
/// finished file has its ``FileStamp`` there instead. File systems without attributes keep nothing.
enum FileMark {
    /// Short, so that it fits the inode with what it says.
    static let attribute = "user.sessioncore"
    /// What a part's says.
    static let part = "part"
    private static let sizeLimit = 4 << 10

    /// What an open file's attribute says; nil without one.
    static func text(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = bytes.withUnsafeMutableBytes { cl_attribute(descriptor, attribute, $0.baseAddress, $0.count) }
        guard count > 0, count <= bytes.count else { return nil }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Whether an open file carries a part's mark.
    ///
    /// - Parameter orUnknown: the answer where the file system keeps no attributes.
    static func isPart(_ descriptor: Int32, orUnknown: Bool) -> Bool {
        if let text = text(of: descriptor) { return text == part }
        return orUnknown && errno == EOPNOTSUPP
    }

    /// Sets what an open file's attribute says; best effort.
    static func set(_ text: String, on descriptor: Int32) {
        guard text.utf8.count <= sizeLimit else { return remove(from: descriptor) }
        _ = Array(text.utf8).withUnsafeBytes { cl_set_attribute(descriptor, attribute, $0.baseAddress, $0.count) }
    }

    /// Removes the attribute of an open file; best effort.
    static func remove(from descriptor: Int32) { _ = cl_remove_attribute(descriptor, attribute) }
}
