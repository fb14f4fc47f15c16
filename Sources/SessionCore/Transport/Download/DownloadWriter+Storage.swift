/// What runs on the storage worker, and what the loop does with its answers.
extension DownloadWriter {
    /// An answer of the storage worker.
    enum StorageReply: Sendable {
        case located(Result<DownloadSite.Location, SessionError>)
        /// Whether the part may be gone on with.
        case takenInHand(Result<Bool, SessionError>)
        case made(Result<DownloadSite.Made, SessionError>)
        case finished(Result<FinishedFile, SessionError>)
        /// The part is in order; nil where it was not kept.
        ///
        /// A later run may go on with what came last as it is, or only with more proof than there is.
        case closed(DownloadSite.Kept?, mayGoOn: Bool)
        /// The disk has lost bytes of the part.
        case notSecured(SessionError)
        case done
    }

    /// Why the bytes cannot be gone on with, as a sentence; nil where they can, or where nobody knows.
    var resumeRefusal: String? {
        evidence?.resumeRefusal(
            partSize: max(front, 1), hasChecksum: hasChecksum, comparesOverlap: target.comparesOverlap)
    }

    /// Queues a job behind this transfer's others; its answer comes back on the loop.
    func storage(_ job: @escaping @Sendable () -> StorageReply) {
        jobs.count += 1
        let loop = core.loop
        let id = id
        core.storage.submit(key: id) {
            let reply = job()
            loop.run { core in (core.transfer(id)?.handler as? DownloadWriter)?.handle(reply) }
        }
    }

    /// Handles an answer of the storage worker.
    func handle(_ reply: StorageReply) {
        jobs.count -= 1
        switch reply {
        case .located(let result): located(result)
        case .takenInHand(let result): takenInHand(result)
        case .made(let result): made(result)
        case .finished(let result): finished(result)
        case .closed(let kept, let mayGoOn):
            // A file that could not get its name is kept for itself.
            conclusion.hasNoFile = kept == nil && conclusion.keptPartPath == nil
            conclusion.keptPartPath = kept?.path
            conclusion.keptBytes = kept?.byteCount
            if let kept, kept.isPrevious { plan.resumedAt = kept.byteCount }
            conclusion.mayGoOn = kept.map { $0.isPrevious || mayGoOn } ?? false
            conclusion.hasNoPart = kept == nil
            let done = jobs.closing
            jobs.closing = nil
            done?()
        case .notSecured(let error):
            // Whoever waits for storage hears of it from the part.
            if jobs.whenIdle.isEmpty { core.transfer(id)?.fail(error) }
        case .done: break
        }
        guard jobs.count == 0 else { return }
        let waiting = jobs.whenIdle
        jobs.whenIdle = []
        for work in waiting { work() }
    }

    func fileIsMade(_ result: Result<FinishedFile, SessionError>) { handle(.finished(result)) }

    func onceIdle(_ work: @escaping () -> Void) {
        if jobs.count == 0 { work() } else { jobs.whenIdle.append(work) }
    }

    // MARK: - Looking for a part

    func prepare(_ done: @escaping (Preparation) -> Void) {
        guard jobs.count == 0 else {
            jobs.whenIdle.append { [unowned self] in prepare(done) }
            return
        }
        if let site {
            goOn(at: site, done)
            return
        }
        if let known = siteAtOnce() {
            site = known
            done(.ready)
            return
        }
        jobs.preparing = done
        let target = adoptingTarget
        let url = description.request.url
        let resumeData = description.resumeData
        let isStaged = isStaged
        let folders = core.folders
        let stagingFolder = core.stagingFolder
        let claim = claim
        let isFalse = core.falseServers.contains(url)
        let now = core.now
        storage {
            .located(
                DownloadSite.locate(
                    target, url: url, resumeData: resumeData, isStaged: isStaged, claim: claim, folders: folders,
                    stagingFolder: stagingFolder, isFalse: isFalse, now: now))
        }
    }

    /// Goes on with the part of an earlier attempt; one that was put out of hand is looked at first.
    private func goOn(at site: DownloadSite, _ done: @escaping (Preparation) -> Void) {
        if conclusion.isComplete || conclusion.wasSkipped { return done(.nothingToTransfer) }
        guard let part, part.isOutOfHand else { return done(.ready) }
        jobs.preparing = done
        storage { .takenInHand(site.takeInHand(part)) }
    }

    private func takenInHand(_ result: Result<Bool, SessionError>) {
        let done = jobs.preparing
        jobs.preparing = nil
        switch result {
        case .failure(let error):
            done?(.failed(error))
        case .success(let isOurs):
            pace = nil
            if !isOurs {
                restart(keepingPart: false)
                core.emit(.restarted(id, reason: PartTrust.reason))
            }
            done?(.ready)
        }
    }

    /// The place, where it is known without a look at the disk.
    private func siteAtOnce() -> DownloadSite? {
        guard !isStaged, description.resumeData == nil else { return nil }
        return DownloadSite.locateAtOnce(
            target, url: description.request.url, mayAdopt: mayAdopt, claim: claim, folders: core.folders,
            now: core.now)
    }

    /// The target, without a part of an earlier run where the request is not one that may go on with it.
    private var adoptingTarget: DownloadTarget {
        var result = target
        result.adoptsPart = mayAdopt
        return result
    }

    var mayAdopt: Bool { target.adoptsPart && ResumePolicy.mayAdopt(description.request) }

    private func located(_ result: Result<DownloadSite.Location, SessionError>) {
        let done = jobs.preparing
        jobs.preparing = nil
        switch result {
        case .failure(let error):
            done?(.failed(error))
        case .success(let location):
            site = location.site
            copy = location.copy
            if let path = location.existingFile {
                conclusion.wasSkipped = true
                conclusion.file = FinishedFile(path: path, digest: nil)
                done?(.nothingToTransfer)
                return
            }
            if let adopted = location.adopted {
                part = adopted.part
                evidence = .stored(adopted.facts)
                written = adopted.validLength
                hasBranched = !adopted.beyond.isEmpty
                if !adopted.beyond.isEmpty, let length = adopted.facts.length, let transfer = core.transfer(id) {
                    let plan = SegmentPlan(length: length, front: adopted.validLength, finished: adopted.beyond)
                    makeSegments(plan, host: transfer.host)
                    segments?.joins = location.joins
                    written = plan.front
                }
                adoptSources(adopted.facts)
                plan.expected = adopted.facts.length
                plan.resumedAt = received
                conclusion.isComplete = ResumePolicy.isComplete(adopted.facts, partSize: written)
                if let loss = adopted.loss { core.emit(.restarted(id, reason: loss)) }
            }
            done?(conclusion.isComplete ? .nothingToTransfer : .ready)
        }
    }

    // MARK: - Making a part

    /// Asks for a part for the current generation.
    ///
    /// The buffer fills meanwhile.
    func makePart() {
        guard let site, let facts = evidence?.facts, !isMakingPart else { return }
        isMakingPart = true
        let target = target
        storage { .made(site.makePart(facts, target: target)) }
    }

    private func made(_ result: Result<DownloadSite.Made, SessionError>) {
        isMakingPart = false
        switch result {
        case .failure(let error):
            // The few bytes of an answer that has no place are no part to go on with.
            if error.code == .destinationExists || error.code == .destinationIsFolder {
                buffer.removeAll(keepingCapacity: false)
                conclusion.refusal = error
            }
            core.transfer(id)?.fail(error)
        case .success(.alreadyThere(let path)):
            conclusion.wasSkipped = true
            conclusion.file = FinishedFile(path: path, digest: nil)
            endAttemptEarly()
        case .success(.part(let part)):
            self.part = part
            if core.transfer(id)?.machine.isHeld == true { paused() }
            resumeSink()
            if segments != nil { core.transfer(id)?.segmentsDue() }
        }
    }

    // MARK: - Finishing

    func finish(_ done: @escaping (SessionError?) -> Void) {
        if conclusion.wasSkipped {
            // What is there already makes a part worthless.
            close(keeps: false) { done(nil) }
            return
        }
        guard jobs.count == 0 else {
            jobs.whenIdle.append { [unowned self] in finishPart(done) }
            return
        }
        finishPart(done)
    }

    private func finishPart(_ done: @escaping (SessionError?) -> Void) {
        if let refusal = conclusion.refusal { return done(refusal) }
        guard let site, evidence != nil else {
            done(SessionError(.internal, StorageErrors.noFile))
            return
        }
        guard let part else {
            finishSmall(site, done)
            return
        }
        if let error = writeBuffer() {
            done(error)
            return
        }
        jobs.finishing = done
        let target = target
        let expected = expected
        let journal = description.arrangement.journal
        let previous = previous
        // Every byte is there, so its size means something again.
        if segments != nil { description.control.publish([DownloadSegment]()) }
        part.setRanges(nil)
        segments = nil
        self.part = nil
        self.previous = nil
        let length = written
        let id = id
        let stamp = stamp
        let keepsWrong = !isJoinedOnTrust && !hasBranched && sources?.board.hasOthers != true
        let announced = announced
        storage {
            .finished(
                site.finish(
                    part, previous: previous, target: target, announced: announced, length: expected ?? length,
                    stamp: stamp, keepsWrong: keepsWrong
                ) { file in
                    journal?.record([id: file])
                })
        }
    }

    /// Makes a file of a body that never needed a part.
    private func finishSmall(_ site: DownloadSite, _ done: @escaping (SessionError?) -> Void) {
        let body = buffer
        written = Int64(body.count)
        buffer = []
        if let expected, written != expected {
            done(SessionError(.truncated, StorageErrors.received(written, expected: expected)))
            return
        }
        jobs.finishing = done
        jobs.count += 1
        core.finish(
            site.small(
                id, body, target: target, announced: announced, stamp: stamp,
                journal: description.arrangement.journal))
    }

    /// What the file is to keep of its answer.
    private var stamp: FileStamp? {
        guard ResumePolicy.mayAdopt(description.request) else { return nil }
        return FileStamp(target, url: description.request.url, evidence: evidence)
    }

    private func finished(_ result: Result<FinishedFile, SessionError>) {
        let done = jobs.finishing
        jobs.finishing = nil
        switch result {
        case .success(let file):
            conclusion.file = file
            conclusion.wasSkipped = file.wasSkipped
            done?(nil)
        case .failure(let error):
            conclusion.keptPartPath = error.partPath
            conclusion.mayGoOn = mayAskForRest && error.code != .checksum
            conclusion.hasNoPart = !conclusion.mayGoOn || error.partPath == nil
            done?(error)
        }
    }
}
