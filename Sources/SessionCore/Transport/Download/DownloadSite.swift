import Glibc

/// The place of one download: its folder, the name its file is to have, and the blocking work there.
///
/// A value; its functions run on the storage worker.
struct DownloadSite: Sendable {
    /// What looking for a part found.
    struct Location: Sendable {
        var site: DownloadSite
        var adopted: PartFile.Adopted?
        /// Where the ranges of that part meet what comes between them, if that has to be compared.
        var joins = RangeJoins()
        /// Set when the policy is to skip and the file is there already.
        var existingFile: String?
        /// The file that the server is asked about, when the policy is to refresh one.
        var copy: ExistingCopy?
    }

    /// What asking for a part gave.
    enum Made: Sendable {
        case part(PartFile)
        case alreadyThere(path: String)
    }

    let folder: Folder
    let url: String
    let isStaged: Bool
    /// The folder of the file that is overwritten, where that takes no new file and the part is elsewhere.
    private(set) var home: Folder?
    /// The name that this download has in its run; nil where its policy needs none.
    let claim: Claim?
    /// The name of the finished file; empty until the response has named it.
    private(set) var finalName: String

    /// The name of a download in its run.
    struct Claim: Sendable {
        let names: RunNames
        let folder: String
        /// The name that was wanted before the answer; nil where neither the user nor the URL gave one.
        let wanted: String?
        /// The name that it has in that one's place.
        let name: String?

        /// The claim of a download whose policy would let it take another's file for an old one.
        init?(_ target: DownloadTarget, url: String, _ names: RunNames) {
            switch target.collision {
            case .overwrite, .refresh, .skip: break
            case .rename, .fail: return nil
            }
            (self.names, folder) = (names, target.folder)
            wanted = if case .fixed(let name) = target.name { name } else { FileNames.offered(by: url) }
            name = wanted.map { names.claim($0, in: target.folder, url: url) }
        }

        /// The name in the place of one that is wanted now.
        func name(for wanted: String, url: String) -> String {
            if wanted == self.wanted, let name { return name }
            return names.claim(wanted, in: folder, url: url)
        }
    }

    init(folder: Folder, url: String, isStaged: Bool, finalName: String, claim: Claim? = nil) {
        (self.folder, self.url, self.isStaged, self.claim) = (folder, url, isStaged, claim)
        self.finalName = finalName
    }

    // MARK: - Start

    /// Opens the folder, refuses what cannot end well, and adopts a part of an earlier run.
    ///
    /// - Parameter isFalse: whether the server has named ranges before and sent other bytes.
    static func locate(
        _ target: DownloadTarget, url: String, resumeData: ResumeData?, isStaged: Bool, claim: Claim? = nil,
        folders: FolderCache, stagingFolder: String, isFalse: Bool = false, now: Int64
    ) -> Result<Location, SessionError> {
        do throws(SessionError) {
            var site = try site(target, url: url, isStaged, claim, folders, stagingFolder: stagingFolder, now: now)
            if case .fixed(let name) = target.name {
                site.finalName = try site.claimed(FileNames.fixed(name))
                if let path = try site.collision(target) { return .success(Location(site: site, existingFile: path)) }
            }
            // What the server would call it is not worth asking for when the URL's own name is there.
            if target.collision == .skip, !isStaged, site.finalName.isEmpty, let name = FileNames.offered(by: url) {
                var named = site
                named.finalName = site.claimed(name)
                if let path = try named.collision(target) {
                    return .success(Location(site: named, existingFile: path))
                }
            }
            var location = Location(site: site)
            if let path = resumeData?.partPath {
                location.adopted = try PartFile.adopt(path: path, url: url, hasChecksum: target.checksum != nil)
            } else if target.adoptsPart {
                location.adopted = try site.adoptPart(target)
            }
            if location.adopted == nil, target.adoptsPart, !isStaged, let checksum = target.checksum {
                location.adopted = try PartFile.readmit(
                    in: site.folder, url: url, name: target.name, checksum: checksum)
            }
            if location.adopted == nil, !isStaged, let left = site.leftByRun(target) { return .success(left) }
            if let adopted = location.adopted, claim == nil || site.finalName.isEmpty {
                location.site.finalName = site.claimed(adopted.part.finalName)
            }
            if target.collision == .refresh, !isStaged, location.adopted == nil {
                try location.findCopy(target)
            }
            location.joins = RangeJoins.parting(&location.adopted, isFalse: isFalse)
            return .success(location)
        } catch {
            return .failure(error)
        }
    }

    /// The place of a target, and of the part where the folder takes no new file but has the one that is overwritten.
    private static func site(
        _ target: DownloadTarget, url: String, _ isStaged: Bool, _ claim: Claim?, _ folders: FolderCache,
        stagingFolder: String, now: Int64
    ) throws(SessionError) -> DownloadSite {
        do throws(SessionError) {
            let folder = try folders.writableFolder(at: target.folder, now: now)
            return DownloadSite(folder: folder, url: url, isStaged: isStaged, finalName: "", claim: claim)
        } catch {
            guard [.permission, .readOnly].contains(error.code), case .fixed(let name) = target.name,
                target.collision == .overwrite || target.collision == .refresh,
                let home = try? folders.folder(at: target.folder, creating: false),
                home.targetStatus(name)?.kind == .regular,
                faccessat(home.descriptor, name, W_OK, AT_EACCESS) == 0
            else { throw error }
            let staging = try folders.writableFolder(at: stagingFolder, now: now)
            var site = DownloadSite(folder: staging, url: url, isStaged: isStaged, finalName: "", claim: claim)
            site.home = home
            return site
        }
    }

    /// The place of a file that was there before this run under the wanted name, and is to be skipped.
    ///
    /// All who want that name leave it, and not only the first of them. Nil where there is none, or where its checksum is
    /// another.
    private func leftByRun(_ target: DownloadTarget) -> Location? {
        guard target.collision == .skip, let claim, let wanted = claim.wanted, wanted != claim.name,
            folder.status(wanted) != nil, !claim.names.isTaken(wanted, in: claim.folder)
        else { return nil }
        var named = self
        named.finalName = wanted
        let path = try? named.collision(target)
        return path.map { Location(site: named, existingFile: $0) }
    }

    /// The name that a file gets where it wants one.
    private func claimed(_ name: String) -> String { claim?.name(for: name, url: url) ?? name }

    /// What is to be said of a name that is another's in this run; nil where this download has the one it wanted.
    var note: String? {
        guard let wanted = claim?.wanted, finalName != wanted, finalName == claim?.name else { return nil }
        return StorageErrors.nameClaimed(wanted)
    }

    /// The part of an earlier run.
    ///
    /// One that another transfer is writing to is that transfer's alone: where both may have their own file, this one
    /// makes a part of its own.
    private func adoptPart(_ target: DownloadTarget) throws(SessionError) -> PartFile.Adopted? {
        do throws(SessionError) {
            return try PartFile.adopt(
                in: folder, url: url, name: target.name, hasChecksum: target.checksum != nil)
        } catch {
            guard error.code == .partInUse, target.collision == .rename else { throw error }
            return nil
        }
    }

    /// The place of a download that needs no look at the disk; nil when it may.
    ///
    /// Its folder was looked at a moment ago and has no part that this download may adopt, and its name comes with the
    /// response.
    static func locateAtOnce(
        _ target: DownloadTarget, url: String, mayAdopt: @autoclosure () -> Bool, claim: Claim? = nil,
        folders: FolderCache, now: Int64
    ) -> DownloadSite? {
        guard case .automatic = target.name, target.collision != .skip, target.collision != .refresh,
            let folder = folders.recent(target.folder, now: now),
            !target.adoptsPart || !folder.mayHavePart(url: url, name: target.name) || !mayAdopt()
        else { return nil }
        return DownloadSite(folder: folder, url: url, isStaged: false, finalName: "", claim: claim)
    }

    /// Chooses the name from the response, when there is none yet.
    mutating func chooseName(target: DownloadTarget, head: ResponseHead) {
        guard case .automatic = target.name, finalName.isEmpty else { return }
        finalName = claimed(FileNames.automatic(url: url, head: head))
    }

    /// Takes the name of a file that is there already.
    fileprivate mutating func nameExisting(_ name: String) { finalName = name }

    /// The collision policy for the name that the download has now.
    ///
    /// Overwriting is for names that the user knows: the given one, or that of the URL. A server that may choose the
    /// name must not choose which file is lost (the class of CVE-2020-8177), so its file gets a number.
    func policy(_ target: DownloadTarget) -> DownloadTarget.Collision {
        guard target.collision == .overwrite || target.collision == .refresh, case .automatic = target.name,
            finalName != claim?.name ?? FileNames.offered(by: url)
        else { return target.collision }
        return .rename
    }

    /// What the collision policy says about the name: a path when the file there is to be left as it is.
    private func collision(_ target: DownloadTarget) throws(SessionError) -> String? {
        if home != nil { return nil }
        var isFixed = false
        if case .fixed = target.name { isFixed = true }
        let found: DestinationCheck
        do throws(SessionError) {
            found = try DestinationCheck.check(finalName, in: folder, collision: policy(target), isFixed: isFixed)
        } catch {
            if error.code == .destinationExists { removeOrphans(target) }
            throw error
        }
        switch found {
        case .clear: return nil
        case .skip(let path):
            removeOrphans(target)
            _ = try DestinationCheck.verifyLeft(finalName, in: folder, checksum: target.checksum)
            return path
        }
    }

    /// Removes what a run has left that was killed when it had named the file that stays now.
    private func removeOrphans(_ target: DownloadTarget) {
        PartFile.removeOrphanedMetas(in: folder, url: url, name: target.name)
    }

    // MARK: - Parts

    /// Creates the part of a new answer and reserves its space.
    func makePart(_ facts: StoredFacts, target: DownloadTarget) -> Result<Made, SessionError> {
        do throws(SessionError) {
            if let path = try collision(target) { return .success(.alreadyThere(path: path)) }
            let part = try PartFile.create(in: folder, url: url, name: target.name, finalName: finalName, facts: facts)
            if target.checksum != nil { part.acceptChanges() }
            do throws(SessionError) {
                if let length = facts.length { try part.reserve(from: 0, length: length) }
            } catch {
                throw part.discard(after: error)
            }
            return .success(.part(part))
        } catch {
            return .failure(error)
        }
    }

    /// Takes a part in hand again after a pause; false when something else has changed it meanwhile.
    func takeInHand(_ part: PartFile) -> Result<Bool, SessionError> {
        do throws(SessionError) {
            return .success(try part.takeInHand())
        } catch {
            return .failure(error)
        }
    }

    /// Puts on record how far a part reaches.
    ///
    /// Best effort: losing the record costs a repeated download of bytes, and a disk that fails shows itself at the
    /// next write.
    func record(_ part: PartFile, length: Int64, beyond: [Range<Int64>] = []) {
        try? part.checkpoint(offset: length, beyond: beyond)
    }

    // MARK: - Finish

    /// Proves, syncs and names a whole part; then the older generation goes.
    ///
    /// One with the wrong checksum is kept aside for somebody to see, unless it is known to be worthless.
    func finish(
        _ part: PartFile, previous: PartFile?, target: DownloadTarget, announced: Checksum?, length: Int64?,
        stamp: FileStamp?, keepsWrong: Bool, beforeNaming: Finisher.NamingObserver
    ) -> Result<FinishedFile, SessionError> {
        claim?.names.take(finalName, in: target.folder)
        do throws(SessionError) {
            if part.isOutOfHand, try !part.takeInHand() { throw part.changedOutside }
            let file = try Finisher.finish(
                part, finalName: finalName, collision: policy(target), expectedLength: length,
                checksum: target.checksum, announced: announced, stamp: stamp, home: home, beforeNaming: beforeNaming)
            previous?.discard()
            return .success(file)
        } catch {
            var error = error
            if !keepsWrong, error.code == .checksum, let path = error.partPath { unlink(path) }
            if error.partPath == nil, !part.isRemoved { error.partPath = part.path }
            // What was synced before stays proven, and somebody may go on with it.
            for kept in [part, previous].compactMap({ $0 }) {
                try? kept.putOutOfHand(durably: false)
                kept.close()
            }
            return .failure(error)
        }
    }

    /// What is to be done with a body that never needed a part.
    func small(
        _ id: TransferID, _ body: [UInt8], target: DownloadTarget, announced: Checksum?, stamp: FileStamp?,
        journal: (any FinishJournal)?
    ) -> SmallDownload {
        claim?.names.take(finalName, in: target.folder)
        return SmallDownload(
            id: id, folder: folder, url: url, finalName: finalName, collision: policy(target),
            checksum: target.checksum, announced: announced, body: body, stamp: stamp, home: home, journal: journal)
    }
}

extension DownloadSite.Location {
    /// Looks for the file that a refresh is about: one that has the checksum is what is wanted, and one that has not is
    /// not worth asking about.
    fileprivate mutating func findCopy(_ target: DownloadTarget) throws(SessionError) {
        let name = site.finalName.isEmpty ? FileNames.offered(by: site.url).map { site.claimed($0) } : site.finalName
        let folder = site.home ?? site.folder
        guard let name, let found = ExistingCopy(name, in: folder, url: site.url) else { return }
        guard let checksum = target.checksum else {
            copy = found
            return
        }
        do throws(SessionError) {
            _ = try DestinationCheck.verifyLeft(name, in: folder, checksum: checksum)
            site.nameExisting(name)
            existingFile = found.path
        } catch {
            // It is replaced by what has the checksum.
            guard error.code == .checksum else { throw error }
        }
    }
}
