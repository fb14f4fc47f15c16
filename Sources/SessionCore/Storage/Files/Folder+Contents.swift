import Glibc

extension Folder {
    private static let comparedAtOnce = 64 << 10

    /// Returns whether the regular file at a name has the same bytes as an open file; false if either cannot be read.
    ///
    /// Blocks while both are read.
    func holds(contentOf descriptor: Int32, at name: String) -> Bool {
        let other = open(name, flags: O_RDONLY)
        guard other >= 0 else { return false }
        defer { Glibc.close(other) }
        return Self.haveSameContent(descriptor, other)
    }

    /// Returns whether two open files are regular and have the same bytes; false if either cannot be read.
    ///
    /// Blocks while both are read.
    static func haveSameContent(_ descriptor: Int32, _ other: Int32) -> Bool {
        guard let own = FileStatus(descriptor: descriptor), let status = FileStatus(descriptor: other),
            status.kind == .regular, status.size == own.size
        else { return false }
        var (left, right) = ([UInt8](), [UInt8]())
        var offset: Int64 = 0
        while offset < own.size {
            let count = Int(min(Int64(comparedAtOnce), own.size - offset))
            guard read(count, of: descriptor, at: offset, into: &left),
                read(count, of: other, at: offset, into: &right), left == right
            else { return false }
            offset += Int64(count)
        }
        return true
    }

    /// Reads exactly a number of bytes; false if that fails or the file is shorter.
    private static func read(_ count: Int, of descriptor: Int32, at offset: Int64, into bytes: inout [UInt8]) -> Bool {
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        var done = 0
        while done < count {
            let step = bytes.withUnsafeMutableBytes { space in
                pread(descriptor, space.baseAddress.map { $0 + done }, count - done, off_t(offset) + off_t(done))
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { return false }
            done += step
        }
        return true
    }
}
