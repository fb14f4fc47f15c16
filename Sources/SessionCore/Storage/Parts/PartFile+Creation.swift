import CLinux
import Glibc

extension PartFile {
    /// The most parts of one URL and name in a folder: earlier generations, and ones in use by others.
    static let generationLimit = 1_024
    /// The parts examined for an adoption.
    static let adoptionLimit = 16

    /// Returns the name that identifies a download before its response is known.
    static func keyName(_ name: DownloadTarget.Name, url: String) -> String {
        switch name {
        case .fixed(let name): name
        case .automatic: FileNames.fromURL(url)
        }
    }

    /// Creates an empty part and locks it.
    ///
    /// Never opens or replaces an existing file: a taken name leads to another.
    /// - Parameters:
    ///   - url: the original URL, as the user gave it.
    ///   - name: the target's name policy, which a later ``adopt(in:url:name:)`` repeats.
    ///   - finalName: the intended name of the finished file.
    ///   - metadata: stored at once; nil for a download without a meta.
    static func create(
        in folder: Folder, url: String, name: DownloadTarget.Name, finalName: String, metadata: StoredMetadata?
    ) throws(SessionError) -> PartFile {
        let key = keyName(name, url: url)
        let shown = name == .automatic ? finalName : key
        let digest = try PartMeta.digest(ofURL: url)
        for generation in 0..<generationLimit {
            let identifier = FileNames.identifier(url: url, name: key, generation: generation)
            let partName = FileNames.partName(shown, identifier: identifier)
            guard let (file, identity) = try claim(partName, in: folder) else { continue }
            let part = PartFile(
                folder: folder, name: partName, finalName: finalName, urlDigest: digest, identity: identity,
                descriptor: file, state: State(metadata: metadata, syncedOffset: 0, metaIsWritten: false))
            do throws(SessionError) {
                try part.prepare()
            } catch {
                // A folder, or another program's file, has the meta's name.
                if error.errno == EISDIR || error.errno == EEXIST { continue }
                throw error
            }
            return part
        }
        throw SessionError(.partInUse, StorageErrors.tooManyParts(generationLimit, folder.path))
    }

    /// Claims the file at a name: empty, and locked.
    ///
    /// Either it is new, or it has our mark and no run can resume it: its run was killed before it wrote a meta or
    /// while it named a small file, or the meta is damaged, gone or describes another file. The part belongs to the
    /// owner of its lock, so another run can take a new one until it is locked.
    /// - Returns: nil when the name is taken.
    private static func claim(
        _ name: String, in folder: Folder
    ) throws(SessionError) -> (descriptor: Int32, identity: FileStatus.Identity)? {
        guard mayHaveMeta(name, in: folder) else { return nil }
        var file = folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: FileMode.part)
        let isNew = file >= 0
        if !isNew, errno == EEXIST {
            file = folder.open(name, flags: O_RDWR)
            guard file >= 0 else { return nil }
        }
        guard file >= 0 else { throw SystemError.error(errno, FileErrors.createPart, path: folder.path(of: name)) }
        let number = cl_lock_exclusive(file) == 0 ? 0 : errno
        guard let status = FileStatus(descriptor: file) else {
            let number = errno
            _ = cl_close_unlocked(file)
            throw SystemError.error(number, FileErrors.examinePart, path: folder.path(of: name))
        }
        if isNew {
            // Some network file systems have no locks, and there an exclusively created part is safe without. A part
            // that was removed before it was locked does not count.
            if status.links > 0, [0, ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(number) {
                FileMark.set(FileMark.part, on: file)
                return (file, status.identity)
            }
        } else if number == 0, FileMark.isOurs(file, orUnknown: false), isAbandoned(name, status, in: folder),
            ftruncate(file, 0) == 0,
            fchmod(file, FileMode.part) == 0 || cl_is_unsupported(errno)
        {
            removeMeta(name + FileNames.temporaryMetaSuffix, in: folder)
            return (file, status.identity)
        }
        _ = cl_close_unlocked(file)
        if isNew, status.links > 0, ![EAGAIN, EACCES].contains(number) {
            folder.remove(name, ifIdentity: status.identity)
            throw SystemError.error(number, FileErrors.lock, path: folder.path(of: name))
        }
        return nil
    }

    /// Returns whether a locked file is a part that no run will ever resume.
    ///
    /// The meta of a moved part stays in the old folder until the move is confirmed.
    private static func isAbandoned(_ name: String, _ status: FileStatus, in folder: Folder) -> Bool {
        guard status.kind == .regular, status.links == 1, status.owner == geteuid(),
            folder.status(name)?.identity == status.identity
        else { return false }
        guard let meta = readMeta(name + FileNames.metaSuffix, in: folder) else { return true }
        return meta.movedTo == nil && !isOurs(status, meta: meta)
    }

    /// Writes the meta of a new part; without a meta the part is removed again.
    private func prepare() throws(SessionError) {
        do throws(SessionError) {
            recordAppearance()
            try saveMeta(durably: false, isOpen: true)
        } catch {
            throw discard(after: error)
        }
    }

    /// Creates a second part for a newer generation of the same file; this one stays as it is.
    ///
    /// Both have their own name and their own meta, which identifies its file. So a meta never covers the other part's
    /// bytes, and after any interruption ``adopt(in:url:name:)`` finds both and takes the longer.
    func createReplacement(
        url: String, name: DownloadTarget.Name, metadata: StoredMetadata
    ) throws(SessionError) -> PartFile {
        try Self.create(in: folder, url: url, name: name, finalName: finalName, metadata: metadata)
    }

    /// Deletes the older part; called when this one is complete or larger.
    func promote(over older: PartFile) {
        guard older.identity != identity else { return }
        older.discard()
    }
}
