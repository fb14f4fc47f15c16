import CLinux
import Glibc

/// The extended attribute that marks a file as one of this library's.
///
/// A part carries it from its creation, which tells it from a user's file with a part's name. A finished file has its
/// ``FileStamp`` there instead. File systems without attributes keep no mark.
enum FileMark {
    /// Short, so that the attribute and its value fit the inode.
    static let attribute: StaticString = "user.sessioncore"
    /// The value of a part's mark.
    static let part = Array("part".utf8)
    private static let sizeLimit = 4 << 10

    /// Returns the attribute of an open file; nil without one.
    static func text(of descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = bytes.withUnsafeMutableBytes { cl_attribute(descriptor, attributeText, $0.baseAddress, $0.count) }
        guard count > 0, count <= bytes.count else { return nil }
        return String(validating: bytes[..<count], as: UTF8.self)
    }

    /// Returns whether an open file with a part's name is this library's: it has a part's mark, or already the stamp of
    /// the finished file.
    ///
    /// An empty file counts too: a program killed between the creation of a part and its mark leaves one, and it
    /// contains no bytes to lose.
    /// - Parameter orUnknown: the result if the file system keeps no attributes.
    static func isOurs(_ descriptor: Int32, orUnknown: Bool) -> Bool {
        if text(of: descriptor) != nil { return true }
        let number = errno
        return FileStatus(descriptor: descriptor)?.size == 0 || (orUnknown && number == EOPNOTSUPP)
    }

    /// Sets the attribute of an open file; best effort.
    static func set(_ text: [UInt8], on descriptor: Int32) {
        guard text.count <= sizeLimit else { return remove(from: descriptor) }
        _ = text.withUnsafeBytes { cl_set_attribute(descriptor, attributeText, $0.baseAddress, $0.count) }
    }

    /// Removes the attribute of an open file; best effort.
    static func remove(from descriptor: Int32) { _ = cl_remove_attribute(descriptor, attributeText) }

    private static var attributeText: UnsafePointer<CChar> {
        UnsafeRawPointer(attribute.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
