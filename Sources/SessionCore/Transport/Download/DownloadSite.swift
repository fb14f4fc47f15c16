import Glibc

/// The place of one download: its folder, the name its file is to have, and the blocking work there.
///
/// A value; its functions run on the storage worker.
struct DownloadSite: Sendable {
    /// What looking for a part found.
    struct Location: Sendable {
        var site: DownloadSite
        var adopted: PartFile.Adopted?
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

    /// What is left of a download that did not end well.
    struct End: Sendable {
        var part: PartFile?
        var previous: PartFile?
        var facts: StoredFacts?
        var length: Int64
        /// Ranges further on that count, too.
        var beyond: [Range<Int64>] = []
        /// Bytes that never saw a part.
        var rest: [UInt8]
        /// Whether what came last is worth keeping.
        var keeps: Bool
        /// Whether the older generation is.
        var keepsPrevious: Bool
    }

    let folder: Folder
    let url: String
    let isStaged: Bool
    /// The name of the finished file; empty until the response has named it.
    private(set) var finalName: String

    // MARK: - Start

    /// Opens the folder, refuses what cannot end well, and adopts a part of an earlier run.
    static func locate(
        _ target: DownloadTarget, url: String, resumeData: ResumeData?, isStaged: Bool, folders: FolderCache, now: Int64
    ) -> Result<Location, SessionError> {
        do throws(SessionError) {
            let folder = try folders.writableFolder(at: target.folder, now: now)
            var site = DownloadSite(folder: folder, url: url, isStaged: isStaged, finalName: "")
            if case .fixed(let name) = target.name {
                site.finalName = try FileNames.fixed(name)
                if let path = try site.collision(target) { return .success(Location(site: site, existingFile: path)) }
            }
            // What the server would call it is not worth asking for when the URL's own name is there.
            if target.collision == .skip, !isStaged, site.finalName.isEmpty, let name = FileNames.offered(by: url) {
                var named = site
                named.finalName = name
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
                location.adopted = try PartFile.readmit(in: folder, url: url, name: target.name, checksum: checksum)
            }
            if let adopted = location.adopted { location.site.finalName = adopted.part.finalName }
            if target.collision == .refresh, !isStaged, location.adopted == nil {
                try location.lookForCopy(target)
            }
            return .success(location)
        } catch {
            return .failure(error)
        }
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
        _ target: DownloadTarget, url: String, mayAdopt: @autoclosure () -> Bool, folders: FolderCache, now: Int64
    ) -> DownloadSite? {
        guard case .automatic = target.name, target.collision != .skip, target.collision != .refresh,
            let folder = folders.recent(target.folder, now: now),
            !target.adoptsPart || !folder.mayHavePart(url: url, name: target.name) || !mayAdopt()
        else { return nil }
        return DownloadSite(folder: folder, url: url, isStaged: false, finalName: "")
    }

    /// Chooses the name from the response, when there is none yet.
    mutating func chooseName(target: DownloadTarget, head: ResponseHead) {
        guard case .automatic = target.name, finalName.isEmpty else { return }
        finalName = FileNames.automatic(url: url, head: head)
    }

    /// Takes the name of a file that is there already.
    fileprivate mutating func nameExisting(_ name: String) { finalName = name }

    /// The collision policy for the name that the download has now.
    ///
    /// Overwriting is for names that the user knows: the given one, or that of the URL. A server that may choose the
    /// name must not choose which file is lost (the class of CVE-2020-8177), so its file gets a number.
    func policy(_ target: DownloadTarget) -> DownloadTarget.Collision {
        guard target.collision == .overwrite || target.collision == .refresh, case .automatic = target.name,
            finalName != FileNames.offered(by: url)
        else { return target.collision }
        return .rename
    }

    /// What the collision policy says about the name: a path when the file there is to be left as it is.
    private func collision(_ target: DownloadTarget) throws(SessionError) -> String? {
        switch try DestinationCheck.check(finalName, in: folder, collision: policy(target)) {
        case .clear: return nil
        case .skip(let path):
            _ = try DestinationCheck.verifyLeft(finalName, in: folder, checksum: target.checksum)
            return path
        }
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

    /// Closes or deletes what is left.
    ///
    /// Returns the path of the part that was kept.
    func close(_ end: End) -> String? {
        var end = end
        if end.keeps, end.part == nil, !end.rest.isEmpty, let facts = end.facts, end.previous == nil {
            end.part = partOfRest(end.rest, facts)
            end.length = Int64(end.rest.count)
        }
        let kept = choose(end)
        for part in [end.part, end.previous].compactMap({ $0 }) where part !== kept { part.discard() }
        guard let kept else { return nil }
        kept.promise()
        if kept === end.part {
            record(kept, length: end.length, beyond: end.beyond)
        } else {
            record(kept, length: kept.contiguousLength, beyond: kept.rangesBeyond)
        }
        kept.close()
        return kept.path
    }

    /// Chooses the part that is kept: of two generations the one with more bytes.
    private func choose(_ end: End) -> PartFile? {
        let part = end.keeps ? end.part : nil
        guard let previous = end.previous, end.keepsPrevious else { return part }
        guard part != nil else { return previous }
        let previousSize = previous.contiguousLength
        return end.length > previousSize ? end.part : previous
    }

    private func partOfRest(_ bytes: [UInt8], _ facts: StoredFacts) -> PartFile? {
        guard
            let part = try? PartFile.create(
                in: folder, url: url, name: .fixed(finalName), finalName: finalName, facts: facts)
        else { return nil }
        let isWritten: Bool = bytes.withUnsafeBytes { (try? part.write($0, at: 0)) != nil }
        guard isWritten else {
            part.discard()
            return nil
        }
        return part
    }

    // MARK: - Finish

    /// Proves, syncs and names a whole part; then the older generation goes.
    ///
    /// One with the wrong checksum is kept aside for somebody to see, unless it is known to be worthless.
    func finish(
        _ part: PartFile, previous: PartFile?, target: DownloadTarget, announced: Checksum?, length: Int64?,
        stamp: FileStamp?, keepsWrong: Bool, beforeNaming: Finisher.NamingObserver
    ) -> Result<FinishedFile, SessionError> {
        do throws(SessionError) {
            if part.isOutOfHand, try !part.takeInHand() { throw part.changedOutside }
            let file = try Finisher.finish(
                part, finalName: finalName, collision: policy(target), expectedLength: length,
                checksum: target.checksum, announced: announced, stamp: stamp, beforeNaming: beforeNaming)
            previous?.discard()
            return .success(file)
        } catch {
            if !keepsWrong, error.code == .checksum, let path = error.partPath { unlink(path) }
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
        SmallDownload(
            id: id, folder: folder, url: url, finalName: finalName, collision: policy(target),
            checksum: target.checksum, announced: announced, body: body, stamp: stamp, journal: journal)
    }
}

extension DownloadSite.Location {
    /// Looks for the file that a refresh is about: one that has the checksum is what is wanted, and one that has not is
    /// not worth asking about.
    fileprivate mutating func lookForCopy(_ target: DownloadTarget) throws(SessionError) {
        let name = site.finalName.isEmpty ? FileNames.offered(by: site.url) : site.finalName
        guard let name, let found = ExistingCopy(name, in: site.folder, url: site.url) else { return }
        guard let checksum = target.checksum else {
            copy = found
            return
        }
        do throws(SessionError) {
            _ = try DestinationCheck.verifyLeft(name, in: site.folder, checksum: checksum)
            site.nameExisting(name)
            existingFile = found.path
        } catch {
            // It is replaced by what has the checksum.
            guard error.code == .checksum else { throw error }
        }
    }
}
