import CLinux
import Glibc
import SessionSupport

/// An open file that is the body of a request; it is closed with the value.
///
/// The file is sent as it was when opened: a change of its length or its bytes while it is sent is an error, thrown
/// before its last bytes are passed on, so that no server takes a mixture for the full body. A file without a reliable
/// size is read to its end: a kernel file, a pipe, a device.
struct BodyFile: ~Copyable {
    /// Bytes at the time of opening; nil for a file that is read to its end.
    let size: Int64?
    /// True for a pipe or a device, whose bytes can be read only once and may take time to arrive.
    let isStream: Bool
    private let descriptor: Int32
    private let path: String
    /// The status at the time of opening.
    let status: FileStatus

    /// Opens the file.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a sentence that names it.
    init(path: String) throws(SessionError) {
        // Without O_NONBLOCK, a pipe without a writer would block the thread.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        guard let status = FileStatus(descriptor: descriptor) else {
            let code = errno
            close(descriptor)
            throw Self.unreadable(path, code)
        }
        guard status.kind != .folder else {
            close(descriptor)
            throw Self.folder(path)
        }
        self.descriptor = descriptor
        self.path = path
        self.status = status
        isStream = status.kind != .regular
        size = isStream ? nil : Self.trustworthySize(descriptor, status)
    }

    deinit {
        close(descriptor)
    }

    /// Reads bytes at an offset: at least one, unless the buffer is empty or the offset is the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SessionError) -> Int {
        guard let size else { return try readUnsized(into: buffer, at: offset) }
        let wanted = min(Int64(buffer.count), size - offset)
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(offset))
            if count > 0 {
                if offset + Int64(count) == size { try checkUnchanged() }
                return count
            }
            guard count < 0 else {
                throw SessionError(.bodyUnreadable, BodyErrors.shrank(path))
            }
            if errno != EINTR { throw Self.unreadable(path, errno) }
        }
    }

    /// Returns a separate descriptor for a file that is read only once.
    func duplicate() throws(SessionError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.unreadable(path, errno) }
        return copy
    }

    private func readUnsized(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SessionError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw Self.unreadable(path, errno) }
        }
    }

    /// Checks the file after its last byte, once each time it is sent.
    ///
    /// The change time is not used: it also changes with a new name or mode.
    private func checkUnchanged() throws(SessionError) {
        guard let now = FileStatus(descriptor: descriptor) else { throw Self.unreadable(path, errno) }
        guard now.size == size, now.modified == status.modified else {
            throw SessionError(.bodyUnreadable, BodyErrors.changed(path))
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SessionError {
        SessionError(.bodyUnreadable, BodyErrors.unreadable(path, SystemWords.text(code)), errno: code)
    }

    /// An error that another body would avoid.
    private static func noBody(_ message: String) -> SessionError {
        var error = SessionError(.bodyUnreadable, message)
        error.advice = .giveFile
        return error
    }

    private static func folder(_ path: String) -> SessionError {
        noBody(BodyErrors.folder(path))
    }
}

extension BodyFile {
    /// Returns the length of the file at a path; nil for a file that is read to its end.
    ///
    /// A pipe is not opened: its writer would treat that as its reader, and fail when it closes. Throws
    /// ``SessionError/Code/bodyUnreadable`` for an unreadable file.
    static func length(of path: String) throws(SessionError) -> Int64? {
        guard BodySpecification.isReadOnce(path) else { return try BodyFile(path: path).size }
        guard access(path, R_OK) == 0 else { throw unreadable(path, errno) }
        guard !LinkTarget.isEndless(path) else {
            throw noBody(BodyErrors.endless(path))
        }
        return nil
    }

    /// The `statfs` types of the kernel's own file systems, whose files are generated while they are read: proc, sysfs,
    /// debugfs, tracefs, cgroup, securityfs, configfs, bpf, pstore, selinuxfs, smackfs, binfmt_misc, resctrl, efivarfs.
    private static let kernelTypes: Set<UInt32> = [
        0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x0027_E0EB, 0x6367_7270, 0x7363_6673, 0x6265_6570, 0xCAFE_4A11,
        0x6165_676C, 0xF97C_FF8C, 0x4341_5D53, 0x4249_4E4D, 0x0765_5821, 0xDE5E_81E4,
    ]

    /// Returns a regular file's size; nil if it does not tell how many bytes a read returns.
    private static func trustworthySize(_ descriptor: Int32, _ status: FileStatus) -> Int64? {
        var type: UInt32 = 0
        if cl_file_system_type(descriptor, &type) == 0, kernelTypes.contains(type) { return nil }
        guard status.size == 0 else { return status.size }
        // File systems in user space also generate files, and report size 0 for them.
        var byte: UInt8 = 0
        return pread(descriptor, &byte, 1, 0) > 0 ? nil : 0
    }
}
