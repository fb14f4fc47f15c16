import Glibc

extension PartFile {
    /// The digest of the whole part as it can be read back.
    func digest(_ algorithm: Checksum.Algorithm) throws(SessionError) -> [UInt8] {
        let digest = try Digest(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, cannot: "read") }
            guard count > 0 else { return try digest.finish() }
            try digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
    }

    /// Sets the part aside under a name that nothing adopts, and closes it.
    ///
    /// Returns the path it has then.
    func quarantine() -> String {
        let aside = name + FileNames.quarantineSuffix
        removeMeta()
        let moved = folder.status(name)?.identity == identity && folder.rename(name, to: aside, replacing: true) == 0
        close()
        return folder.path(of: moved ? aside : name)
    }
}
