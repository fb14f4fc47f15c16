import CLinux
import Glibc
import SessionSupport

/// An open file whose bytes are the body of a request; closed with the value.
///
/// What is sent is the file as it was when it was opened: one that becomes shorter, longer or is written to meanwhile is
/// an error, told before its last bytes are given away, so that no server takes a mixture for the whole. What has no size
/// to be trusted is read until its end: a file of the kernel's, a pipe, a device.
struct BodyFile: ~Copyable {
    /// The length in bytes when the file was opened; nil for what is read until its end.
    let size: Int64?
    /// Whether it is a pipe or a device, whose bytes can be read only once and may have to be waited for.
    let isStream: Bool
    private let descriptor: Int32
    private let path: String
    /// What the file looked like as it was opened.
    let status: FileStatus

    /// Opens the file.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a sentence that names it.
    init(path: String) throws(SessionError) {
        // A pipe that nothing writes to would hold the thread that opens it.
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

    /// Reads bytes that begin at an offset: at least one, unless the buffer is empty or the offset is the end.
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

    /// A descriptor of its own for what is read once.
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

    /// Looks at the file behind its last byte, once for each time it is sent.
    ///
    /// The time of the last change of any kind is no sign: it moves when the file gets another name or mode.
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
    /// The length of the file at a path; nil for what is read until its end.
    ///
    /// A pipe is not opened: its writer would take that for the reader, and be ended when it goes. Throws
    /// ``SessionError/Code/bodyUnreadable`` for what cannot be read.
    static func length(of path: String) throws(SessionError) -> Int64? {
        guard BodySpecification.isReadOnce(path) else { return try BodyFile(path: path).size }
        guard access(path, R_OK) == 0 else { throw unreadable(path, errno) }
        guard !LinkTarget.isEndless(path) else {
            throw noBody(BodyErrors.endless(path))
        }
        return nil
    }

    /// The types that `statfs` gives for the kernel's own file systems, whose files are made while they are read: proc,
    /// sysfs, debugfs, tracefs, cgroup, securityfs, configfs, bpf, pstore, selinuxfs, smackfs, binfmt_misc, resctrl, efivarfs.
    private static let kernelTypes: Set<UInt32> = [
        0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x0027_E0EB, 0x6367_7270, 0x7363_6673, 0x6265_6570, 0xCAFE_4A11,
        0x6165_676C, 0xF97C_FF8C, 0x4341_5D53, 0x4249_4E4D, 0x0765_5821, 0xDE5E_81E4,
    ]

    /// The size of a regular file; nil where it says nothing about what reading gives.
    private static func trustworthySize(_ descriptor: Int32, _ status: FileStatus) -> Int64? {
        var type: UInt32 = 0
        if cl_file_system_type(descriptor, &type) == 0, kernelTypes.contains(type) { return nil }
        guard status.size == 0 else { return status.size }
        // File systems in user space make files too, and give them no size.
        var byte: UInt8 = 0
        return pread(descriptor, &byte, 1, 0) > 0 ? nil : 0
    }
}
