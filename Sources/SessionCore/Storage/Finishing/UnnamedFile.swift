import CLinux
import Glibc

/// A file without a name: it is invisible until it is complete, and vanishes with its process.
///
/// A class because it owns a descriptor. All calls may block and belong on a storage thread.
final class UnnamedFile: Sendable {
    let folder: Folder
    let finalName: String
    private let descriptor: Int32

    /// Creates a file with a finished file's mode; nil with `errno` set on failure.
    init?(in folder: Folder, finalName: String) {
        descriptor = cl_open_unnamed(folder.descriptor, FileMode.finished)
        guard descriptor >= 0 else { return nil }
        self.folder = folder
        self.finalName = finalName
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    func write(_ body: UnsafeRawBufferPointer) throws(SessionError) {
        guard let base = body.baseAddress else { return }
        var written = 0
        while written < body.count {
            let count = pwrite(descriptor, base + written, body.count - written, off_t(written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(count < 0 ? errno : EIO, FileErrors.write) }
            written += count
        }
    }

    /// Sets the time and the validator of the file, which has `size` bytes.
    func stamp(_ stamp: FileStamp, size: Int) { stamp.apply(to: descriptor, size: Int64(size)) }

    func write(_ body: [UInt8]) throws(SessionError) {
        try body.withUnsafeBytes { bytes in Result { () throws(SessionError) in try write(bytes) } }.get()
    }

    /// Syncs content and link count.
    func sync() throws(SessionError) {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw failure(errno, FileErrors.sync) }
        }
    }

    /// The data by which a store finds the file once it has its name; nil when the system does not report it.
    var finishing: StoredTransfer.FinishingFile? {
        FileStatus(descriptor: descriptor).map {
            StoredTransfer.FinishingFile(folder.path(of: finalName), $0.identity)
        }
    }

    /// Names the file by the policy.
    ///
    /// A link cannot replace a file, so overwriting links a hidden name first and renames it over the old file; throws
    /// EOPNOTSUPP if a part can do better.
    /// - Returns: the name it got, or the name of the file that stays instead.
    func place(
        collision: DownloadTarget.Collision, turn: NameTurn?, url: String
    ) throws(SessionError) -> Placement.Place {
        try Placement(folder: folder, name: finalName, collision: collision, turn: turn).claim { name in
            name.withCString { cl_link_unnamed(descriptor, folder.descriptor, $0) }
        } isSame: { name in
            folder.holds(contentOf: descriptor, at: name)
        } replace: { name throws(SessionError) in
            try replace(name, url: url)
        }
    }

    private func replace(_ name: String, url: String) throws(SessionError) {
        guard let old = folder.status(name), old.kind == .regular, let own = FileStatus(descriptor: descriptor),
            own.owner == old.owner, own.group == old.group, fchmod(descriptor, old.mode & 0o777) == 0
        else { throw failure(EOPNOTSUPP, FileErrors.save) }
        for generation in 0..<PartFile.generationLimit {
            let identifier = FileNames.identifier(url: url, name: name, generation: generation)
            let hidden = FileNames.partName(name, identifier: identifier)
            guard cl_link_unnamed(descriptor, folder.descriptor, hidden) == 0 else {
                if errno == EEXIST { continue }
                throw failure(errno, FileErrors.save)
            }
            // The hidden name may have come to refer to another file.
            guard isAt(hidden) else { continue }
            if folder.rename(hidden, to: name, replacing: true) == 0 { return }
            let number = errno
            unlinkat(folder.descriptor, hidden, 0)
            let isRefused = [EBUSY, EXDEV, EACCES].contains(number)
            throw failure(isRefused ? EOPNOTSUPP : number, FileErrors.save)
        }
        throw failure(EEXIST, FileErrors.save)
    }

    /// Takes a name back whose durability has failed, unless another file was replaced; returns the error.
    func withdraw(_ place: Placement.Place?, after error: SessionError) -> SessionError {
        switch place {
        case .kept, nil: return error
        case .given(let name):
            guard let own = FileStatus(descriptor: descriptor) else { break }
            if folder.remove(name, ifIdentity: own.identity) { return error }
        case .replaced: break
        }
        return error.naming(folder.placedPath(of: place?.name ?? finalName))
    }

    private func isAt(_ name: String) -> Bool {
        folder.status(name)?.identity == FileStatus(descriptor: descriptor)?.identity
    }

    private func failure(_ number: Int32, _ sentence: FileErrors.Sentence) -> SessionError {
        SystemError.error(number, sentence, path: folder.path(of: finalName))
    }
}
