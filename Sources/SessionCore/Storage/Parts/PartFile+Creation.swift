import CLinux
import Glibc

extension PartFile {
    /// The most parts of one URL and name that may lie in a folder: earlier generations, and ones that others hold.
    static let generationLimit = 1_024
    /// How many of these parts are looked at when one is to be adopted.
    static let adoptionLimit = 16

    /// The name that identifies a download before its answer is known.
    static func keyName(_ name: DownloadTarget.Name, url: String) -> String {
        switch name {
        case .fixed(let name): name
        case .automatic: FileNames.fromURL(url)
        }
    }

    /// Creates an empty part and locks it.
    ///
    /// Never opens or replaces anything that exists: a taken name leads to another.
    /// - Parameters:
    ///   - url: the original URL, as the user gave it.
    ///   - name: the target's name policy, which a later ``adopt(in:url:name:)`` repeats.
    ///   - finalName: the name the finished file is to have.
    ///   - facts: stored at once; nil for a download that is not worth a meta.
    static func create(
        in folder: Folder, url: String, name: DownloadTarget.Name, finalName: String, facts: StoredFacts?
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
                descriptor: file, state: State(facts: facts, syncedOffset: 0, metaIsWritten: false))
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

    /// Makes the file at a name ours: empty, and locked.
    ///
    /// Either it is new, or it carries our mark and no run can go on with it: one was killed before it wrote a meta or while it
    /// gave a small file its name, or the meta is damaged, gone or of another file. The part belongs to the holder of its
    /// lock, so one that is created here can be taken over by another run until it is locked.
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
            // Some network file systems know no locks. A part that was created exclusively is safe without.
            // One that was removed again before it was locked is none.
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

    /// Whether a locked file is a part that no run will ever go on with.
    ///
    /// One that was moved is described at its old place until somebody has said that it stays.
    private static func isAbandoned(_ name: String, _ status: FileStatus, in folder: Folder) -> Bool {
        guard status.kind == .regular, status.links == 1, status.owner == geteuid(),
            folder.status(name)?.identity == status.identity
        else { return false }
        guard let meta = readMeta(name + FileNames.metaSuffix, in: folder) else { return true }
        return meta.movedTo == nil && !isOurs(status, meta: meta)
    }

    /// Writes the meta of a new part; a part that cannot have one is removed again.
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
    /// Both have their own name and their own meta, which names the very file it describes. So at no moment does a meta
    /// speak for bytes of the other, and whatever is interrupted, ``adopt(in:url:name:)`` finds both and takes the longer.
    func createReplacement(
        url: String, name: DownloadTarget.Name, facts: StoredFacts
    ) throws(SessionError) -> PartFile {
        try Self.create(in: folder, url: url, name: name, finalName: finalName, facts: facts)
    }

    /// Makes this part the only one, by deleting the older: when this one is complete or larger.
    func promote(over older: PartFile) {
        guard older.identity != identity else { return }
        older.discard()
    }
}
