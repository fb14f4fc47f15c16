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

    func stamp(_ stamp: FileStamp) { stamp.apply(to: descriptor) }

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
    /// - Returns: the name it got; nil if the file that has the name stays instead.
    func place(
        collision: DownloadTarget.Collision, turn: NameTurn?, url: String
    ) throws(SessionError) -> String? {
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

    private func isAt(_ name: String) -> Bool {
        folder.status(name)?.identity == FileStatus(descriptor: descriptor)?.identity
    }

    private func failure(_ number: Int32, _ sentence: FileErrors.Sentence) -> SessionError {
        SystemError.error(number, sentence, path: folder.path(of: finalName))
    }
}

/// Gives a file its name without replacing what the policy protects: the kernel decides, so two finishers that want one
/// name get two.
struct Placement {
    let folder: Folder
    let name: String
    let collision: DownloadTarget.Collision
    /// The file's place among the ones that want the name; nil where the first to end gets it.
    var turn: NameTurn?

    /// The numbers that are tried one after another.
    private static let fewNumbers = 16

    /// Tries names until one is free, by the policy.
    ///
    /// A name is examined only after it turned out to be taken, because almost all are free. If a folder or a device
    /// has it, the file gets a number: a fixed name was examined before.
    /// - Parameters:
    ///   - give: names the file if the name is free; not negative on success, or -1 with `errno` set: EEXIST when the
    ///     name is taken.
    ///   - isSame: whether the file that has the name has the same content.
    ///   - replace: replaces the file that has the name.
    /// - Returns: the name it got; nil if the file that has the name stays instead.
    func claim(
        _ give: (_ name: String) -> Int32, isSame: (_ name: String) -> Bool,
        replace: (_ name: String) throws(SessionError) -> Void
    ) throws(SessionError) -> String? {
        guard let turn else { return try claimNow(give, isSame, replace) }
        return try turn.place { reserved throws(SessionError) in
            reserved == 0 ? try claimNow(give, isSame, replace) : try number(beyond: reserved, give)
        }
    }

    private func claimNow(
        _ give: (_ name: String) -> Int32, _ isSame: (_ name: String) -> Bool,
        _ replace: (_ name: String) throws(SessionError) -> Void
    ) throws(SessionError) -> String? {
        if give(name) >= 0 { return name }
        guard errno == EEXIST else { throw failure(errno, name) }
        if let status = folder.status(name) {
            do throws(SessionError) {
                try DestinationCheck.checkReplaceable(status, name, in: folder)
            } catch {
                guard collision != .fail else { throw error }
                return try number(give)
            }
        }
        switch collision {
        case .skip:
            try DestinationCheck.checkKept(name, in: folder)
            return nil
        case .fail:
            throw DestinationCheck.exists(name, in: folder)
        case .overwrite, .refresh:
            try replace(name)
            return name
        case .same where isSame(name):
            return nil
        case .rename, .same:
            return try number(give)
        }
    }

    private func number(_ give: (_ name: String) -> Int32) throws(SessionError) -> String {
        var number = 1
        while number <= FileNames.highestNumber {
            let candidate = FileNames.numbered(name, number)
            if give(candidate) >= 0 { return candidate }
            guard errno == EEXIST else { throw failure(errno, candidate) }
            number = number == Self.fewNumbers ? freeNumber(above: number) : number + 1
        }
        throw namesTaken
    }

    /// Gives the first free name after `reserved` others, which belong to downloads that were added before.
    private func number(beyond reserved: Int, _ give: (_ name: String) -> Int32) throws(SessionError) -> String {
        var left = reserved
        for number in 0...FileNames.highestNumber {
            let candidate = number == 0 ? name : FileNames.numbered(name, number)
            if left == 0 {
                if give(candidate) >= 0 { return candidate }
                guard errno == EEXIST else { throw failure(errno, candidate) }
            } else if folder.status(candidate) == nil {
                left -= 1
            }
        }
        throw namesTaken
    }

    private var namesTaken: SessionError {
        SessionError(.destinationExists, StorageErrors.namesTaken(folder.path(of: name), FileNames.highestNumber))
    }

    /// Returns a number whose name is free while the previous one is taken, or the one after the highest.
    ///
    /// Without this search, each of thousands of files with one name would try all taken names. Free numbers between
    /// taken ones are not searched for.
    private func freeNumber(above taken: Int) -> Int {
        func isTaken(_ number: Int) -> Bool { folder.status(FileNames.numbered(name, number)) != nil }
        var (low, step) = (taken, taken)
        while low + step <= FileNames.highestNumber, isTaken(low + step) {
            low += step
            step *= 2
        }
        var high = min(low + step, FileNames.highestNumber + 1)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isTaken(middle) { low = middle } else { high = middle }
        }
        return high
    }

    private func failure(_ number: Int32, _ name: String) -> SessionError {
        SystemError.error(number, FileErrors.save, path: folder.path(of: name))
    }
}
