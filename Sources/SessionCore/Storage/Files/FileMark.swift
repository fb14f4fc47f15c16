import CLinux
import Glibc

/// The extended attribute by which a file says what it is to this library.
///
/// A part carries it from its creation on, so that a file of the user's that merely has a part's name is told from one. A
/// finished file has its ``FileStamp`` there instead. File systems without attributes keep nothing.
enum FileMark {
    /// Short, so that it fits the inode with what it says.
    static let attribute: StaticString = "user.sessioncore"
    /// What a part's says.
    static let part = "part"
    private static let sizeLimit = 4 << 10

    /// What an open file's attribute says; nil without one.
    static func text(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = bytes.withUnsafeMutableBytes { cl_attribute(descriptor, attributeText, $0.baseAddress, $0.count) }
        guard count > 0, count <= bytes.count else { return nil }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Whether an open file with a part's name is this library's: it has a part's mark, or already the stamp of the file that it
    /// becomes.
    ///
    /// An empty file is taken for one as well. A program that is killed after it created a part and before it marked it
    /// leaves such a file, and there is nothing in it to lose.
    /// - Parameter orUnknown: the answer where the file system keeps no attributes.
    static func isOurs(_ descriptor: Int32, orUnknown: Bool) -> Bool {
        if text(of: descriptor) != nil { return true }
        let number = errno
        return FileStatus(descriptor: descriptor)?.size == 0 || (orUnknown && number == EOPNOTSUPP)
    }

    /// Sets what an open file's attribute says; best effort.
    static func set(_ text: String, on descriptor: Int32) {
        guard text.utf8.count <= sizeLimit else { return remove(from: descriptor) }
        var text = text
        _ = text.withUTF8 { cl_set_attribute(descriptor, attributeText, $0.baseAddress, $0.count) }
    }

    /// Removes the attribute of an open file; best effort.
    static func remove(from descriptor: Int32) { _ = cl_remove_attribute(descriptor, attributeText) }

    /// The attribute's name for C.
    private static var attributeText: UnsafePointer<CChar> {
        UnsafeRawPointer(attribute.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
