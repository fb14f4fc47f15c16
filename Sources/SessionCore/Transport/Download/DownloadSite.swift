import Glibc

/// The folder of one download, the name its file will have, and the blocking work there.
///
/// A value; its functions run on the storage worker.
struct DownloadSite: Sendable {
    /// The result of looking for a partial file.
    struct Location: Sendable {
        var site: DownloadSite
        var adopted: PartFile.Adopted?
        /// Whether the partial file that was to be continued is gone, or cannot be trusted.
        var lacksPart = false
        /// The joins of that file's ranges that have to be compared.
        var joins = RangeJoins()
        /// The file that is already there, if the policy is to skip it.
        var existingFile: String?
        /// The file the server is asked about, if the policy is to refresh it.
        var copy: ExistingCopy?
    }

    /// The result of creating a partial file.
    enum Made: Sendable {
        case part(PartFile)
        case alreadyThere(path: String)
    }

    let folder: Folder
    let url: String
    let isStaged: Bool
    /// The folder of the file to overwrite, if it takes no new file and the partial file is elsewhere.
    private(set) var home: Folder?
    /// The name this download has claimed in its run; nil if its policy needs none.
    let claim: Claim?
    /// The name of the finished file; empty until the response has named it.
    private(set) var finalName: String

    /// The name of a download in its run.
    struct Claim: Sendable {
        let names: RunNames
        let folder: String
        let id: TransferID
        /// The name wanted before the response; nil if neither the user nor the URL gave one.
        let wanted: String?
        /// The name given instead.
        let name: String?

        /// Makes the claim for a policy that could otherwise take another download's file for an old one; nil for the
        /// others.
        ///
        /// - Parameter id: the number of the download, whichever task goes on with it.
        init?(_ target: DownloadTarget, url: String, id: TransferID, _ names: RunNames) {
            switch target.collision {
            case .overwrite, .refresh, .same, .skip: break
            case .rename, .fail, .sameOrFail: return nil
            }
            (self.names, self.id, folder) = (names, id, target.folder)
            wanted = if case .fixed(let name) = target.name { name } else { FileNames.offered(by: url) }
            name = wanted.map { names.claim($0, in: target.folder, url: url, for: id) }
        }

        /// Returns the name given instead of the wanted one.
        func name(for wanted: String, url: String) -> String {
            if wanted == self.wanted, let name { return name }
            return names.claim(wanted, in: folder, url: url, for: id)
        }
    }

    init(folder: Folder, url: String, isStaged: Bool, finalName: String, claim: Claim? = nil) {
        (self.folder, self.url, self.isStaged, self.claim) = (folder, url, isStaged, claim)
        self.finalName = finalName
    }

    // MARK: - Start

    /// Opens the folder, refuses a download that cannot succeed, and adopts a partial file of an earlier run.
    static func locate(
        _ target: DownloadTarget, url: String, resumeData: ResumeData?, isStaged: Bool, claim: Claim? = nil,
        folders: FolderCache, stagingFolder: String, now: Int64
    ) -> Result<Location, SessionError> {
        // Of many downloads that began together, the first ones have read the folder by now.
        if !isStaged, resumeData == nil,
            let site = locateAtOnce(target, url: url, mayAdopt: true, claim: claim, folders: folders, now: now)
        {
            return .success(Location(site: site))
        }
        do throws(SessionError) {
            var site = try site(target, url: url, isStaged, claim, folders, stagingFolder: stagingFolder, now: now)
            if case .fixed(let name) = target.name {
                site.finalName = try site.claimed(FileNames.fixed(name))
                if let path = try site.collision(target) { return .success(Location(site: site, existingFile: path)) }
            }
            // If the URL's own name exists, the server is not asked for another one.
            if target.collision == .skip, !isStaged, site.finalName.isEmpty, let name = FileNames.offered(by: url) {
                var named = site
                named.finalName = site.claimed(name)
                if let path = try named.collision(target) {
                    return .success(Location(site: named, existingFile: path))
                }
            }
            var location = Location(site: site)
            if let path = resumeData?.partPath {
                location.adopted = try adoptPart(at: path, url: url, target)
                location.lacksPart = location.adopted == nil
            } else if target.adoptsPart {
                location.adopted = try site.adoptPart(target)
            }
            if location.adopted == nil, target.adoptsPart, !isStaged, let checksum = target.checksum {
                location.adopted = try PartFile.readmit(
                    in: site.folder, url: url, name: target.name, checksum: checksum)
            }
            if let adopted = location.adopted, claim == nil || site.finalName.isEmpty {
                location.site.finalName = site.claimed(adopted.part.finalName)
            }
            if [.refresh, .same, .sameOrFail].contains(target.collision), !isStaged, location.adopted == nil {
                try location.findCopy(target)
            }
            location.joins = RangeJoins.parting(&location.adopted)
            return .success(location)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the site of a target; the partial file goes elsewhere if the folder takes no new file but has the one to
    /// overwrite.
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

    /// Returns the claimed name for a wanted one.
    private func claimed(_ name: String) -> String { claim?.name(for: name, url: url) ?? name }

    /// The note about a wanted name that another download of this run has; nil if this download has it.
    var note: String? {
        guard let wanted = claim?.wanted, finalName != wanted, finalName == claim?.name else { return nil }
        return StorageErrors.nameClaimed(wanted)
    }

    /// Returns the partial file at a path; nil if it or its folder is gone.
    private static func adoptPart(
        at path: String, url: String, _ target: DownloadTarget
    ) throws(SessionError) -> PartFile.Adopted? {
        do throws(SessionError) {
            return try PartFile.adopt(path: path, url: url, hasChecksum: target.checksum != nil)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Returns the partial file of an earlier run.
    ///
    /// One in use belongs to the other transfer alone: if both may have their own file, this download makes a new one.
    private func adoptPart(_ target: DownloadTarget) throws(SessionError) -> PartFile.Adopted? {
        do throws(SessionError) {
            return try PartFile.adopt(
                in: folder, url: url, name: target.name, hasChecksum: target.checksum != nil)
        } catch {
            guard error.code == .partInUse, target.collision == .rename else { throw error }
            return nil
        }
    }

    /// Returns the site of a download that needs no disk access; nil if it may.
    ///
    /// Its folder was read a moment ago and has no partial file to adopt, and no file of the name that is known before
    /// the response. If one appears until the end, the policy is applied then.
    static func locateAtOnce(
        _ target: DownloadTarget, url: String, mayAdopt: @autoclosure () -> Bool, claim: Claim? = nil,
        folders: FolderCache, now: Int64
    ) -> DownloadSite? {
        guard !target.sharesFolder, let folder = folders.recent(target.folder, now: now),
            !target.adoptsPart || !folder.mayHavePart(url: url, name: target.name) || !mayAdopt()
        else { return nil }
        var site = DownloadSite(folder: folder, url: url, isStaged: false, finalName: "", claim: claim)
        switch target.name {
        case .fixed(let name):
            guard target.collision != .fail, let name = try? FileNames.fixed(name), site.isFree(name, at: now) else {
                return nil
            }
            site.finalName = name
        case .automatic:
            if [.skip, .refresh, .same, .sameOrFail].contains(target.collision), let name = FileNames.offered(by: url),
                !site.isFree(name, at: now)
            {
                return nil
            }
        }
        return site
    }

    /// Returns whether nothing had a wanted name a moment ago, and no other download of this run claims it.
    private func isFree(_ name: String, at now: Int64) -> Bool {
        guard folder.lacked(name, at: now) else { return false }
        guard let claim else { return true }
        return claimed(name) == name && !claim.names.isTaken(name, in: claim.folder)
    }

    /// Chooses the name from the response, unless it has one.
    mutating func chooseName(target: DownloadTarget, head: ResponseHead) {
        guard case .automatic = target.name, finalName.isEmpty else { return }
        finalName = claimed(FileNames.automatic(url: url, head: head))
    }

    fileprivate mutating func nameExisting(_ name: String) { finalName = name }

    /// Returns the collision policy for the present name.
    ///
    /// Only names the user knows are overwritten: the given one, or the one in the URL. A server that may choose the
    /// name must not choose which file is lost (the class of CVE-2020-8177), so its file gets a number.
    func policy(_ target: DownloadTarget) -> DownloadTarget.Collision {
        guard target.collision == .overwrite || target.collision == .refresh, case .automatic = target.name,
            finalName != claim?.name ?? FileNames.offered(by: url)
        else { return target.collision }
        return .rename
    }

    /// Applies the collision policy to the name, and returns the path of a file that has to stay.
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

    /// Removes the metas left by a run that was killed just after it had named the existing file.
    private func removeOrphans(_ target: DownloadTarget) {
        PartFile.removeOrphanedMetas(in: folder, url: url, name: target.name)
    }

    // MARK: - Parts

    /// Creates the partial file for a new response and reserves its space.
    ///
    /// - Parameter isRecorded: records the file's path if a later run can find it only by that, and returns whether the
    ///   disk has it.
    func makePart(
        _ metadata: StoredMetadata, target: DownloadTarget, isRecorded: (String) -> Bool = { _ in false }
    ) -> Result<Made, SessionError> {
        do throws(SessionError) {
            if let path = try collision(target) { return .success(.alreadyThere(path: path)) }
            if target.collision == .sameOrFail {
                try DestinationCheck.checkLength(finalName, in: folder, length: metadata.length)
            }
            let part = try PartFile.create(
                in: folder, url: url, name: target.name, finalName: finalName, metadata: metadata)
            if target.checksum != nil { part.acceptChanges() }
            do throws(SessionError) {
                if let length = metadata.length { try part.reserve(from: 0, length: length) }
            } catch {
                throw part.discard(after: error)
            }
            // Recorded first: a promised file that nothing leads to would stay for ever.
            if isRecorded(part.path) {
                part.promise()
                try? part.saveMeta(durably: false, isOpen: true)
            }
            return .success(.part(part))
        } catch {
            return .failure(error)
        }
    }

    /// Opens a partial file again after a pause; returns false if another program has changed it.
    func takeInHand(_ part: PartFile) -> Result<Bool, SessionError> {
        do throws(SessionError) {
            return .success(try part.takeInHand())
        } catch {
            return .failure(error)
        }
    }

    /// Records how far a partial file reaches.
    ///
    /// A failure is ignored: losing the record costs repeated bytes, and a failing disk shows at the next write.
    func record(_ part: PartFile, length: Int64, beyond: [Range<Int64>] = []) {
        try? part.checkpoint(offset: length, beyond: beyond)
    }

    // MARK: - Finish

    /// Verifies, syncs and names a complete partial file, then removes the previous generation.
    ///
    /// One with the wrong checksum is kept for inspection, unless it is known to be worthless.
    func finish(
        _ part: PartFile, previous: PartFile?, target: DownloadTarget, announced: Checksum?, length: Int64?,
        stamp: FileStamp?, turn: NameTurn?, keepsWrong: Bool, beforeNaming: Finisher.NamingObserver
    ) -> Result<FinishedFile, SessionError> {
        claim?.names.take(finalName, in: target.folder)
        do throws(SessionError) {
            if part.isOutOfHand, try !part.takeInHand() { throw part.changedOutside }
            let file = try Finisher.finish(
                part, finalName: finalName, collision: policy(target), expectedLength: length,
                checksum: target.checksum, announced: announced, stamp: stamp, turn: turn, home: home,
                beforeNaming: beforeNaming)
            previous?.discard()
            return .success(file)
        } catch {
            var error = error
            if !keepsWrong, error.code == .checksum, let path = error.partPath { unlink(path) }
            if error.partPath == nil, !part.hasLostName { error.partPath = part.path }
            // What was synced before stays valid, and a later run may continue it.
            for kept in [part, previous].compactMap({ $0 }) { kept.closeForLater() }
            return .failure(error)
        }
    }

    /// Returns the job for a body that never needed a partial file.
    func small(
        _ id: TransferID, _ body: [UInt8], target: DownloadTarget, announced: Checksum?, stamp: FileStamp?,
        turn: NameTurn?, journal: (any FinishJournal)?
    ) -> SmallDownload {
        claim?.names.take(finalName, in: target.folder)
        return SmallDownload(
            id: id, folder: folder, url: url, finalName: finalName, collision: policy(target),
            checksum: target.checksum, announced: announced, body: body, stamp: stamp, turn: turn, home: home,
            journal: journal)
    }
}

extension DownloadSite.Location {
    /// Looks for the file to ask about: one with the right checksum is already the wanted file, and one with a wrong one
    /// is not worth asking about.
    fileprivate mutating func findCopy(_ target: DownloadTarget) throws(SessionError) {
        let wanted = site.finalName.isEmpty ? FileNames.offered(by: site.url).map { site.claimed($0) } : site.finalName
        let folder = site.home ?? site.folder
        guard let wanted else { return }
        guard let checksum = target.checksum else {
            copy = existingCopy(of: wanted, in: folder, target.collision)
            return
        }
        for name in names(of: wanted, in: folder, target.collision) where folder.targetStatus(name)?.kind == .regular {
            do throws(SessionError) {
                _ = try DestinationCheck.verifyLeft(name, in: folder, checksum: checksum)
                site.nameExisting(name)
                existingFile = folder.path(of: name)
                return
            } catch {
                // The file is replaced by one with the right checksum, or stays beside it.
                guard error.code == .checksum else { throw error }
            }
        }
    }

    /// Returns the latest file that an earlier run has saved from the URL; without one, the file at the wanted name.
    private func existingCopy(
        of wanted: String, in folder: Folder, _ collision: DownloadTarget.Collision
    ) -> ExistingCopy? {
        let numbered = names(of: wanted, in: folder, collision).dropFirst().reversed().lazy.compactMap { name in
            ExistingCopy(name, in: folder, url: site.url)
        }
        return numbered.first { $0.validator != nil }
            ?? ExistingCopy(wanted, in: folder, url: site.url, countsTime: collision != .refresh)
    }

    /// The names at which an earlier run may have left the file: also numbered ones, if the policy gives and finds them.
    private func names(of wanted: String, in folder: Folder, _ collision: DownloadTarget.Collision) -> [String] {
        guard collision == .same else { return [wanted] }
        let numbered = (1...Placement.fewNumbers).lazy.map { FileNames.numbered(wanted, $0) }
        return [wanted] + numbered.prefix { folder.status($0) != nil }
    }
}
