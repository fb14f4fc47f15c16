/// The jobs on the storage worker, and how the loop handles their replies.
extension DownloadWriter {
    /// A reply of the storage worker.
    enum StorageReply: Sendable {
        case located(Result<DownloadSite.Location, SessionError>)
        /// Whether the partial file may be continued.
        case takenInHand(Result<Bool, SessionError>)
        case made(Result<DownloadSite.Made, SessionError>)
        case finished(Result<FinishedFile, SessionError>)
        /// The partial file is closed; nil if it was not kept.
        ///
        /// `mayGoOn` says whether a later run may continue the latest bytes without further proof.
        case closed(DownloadSite.Kept?, mayGoOn: Bool)
        /// The disk has lost bytes of the partial file.
        case notSecured(SessionError)
        case done
    }

    /// Why the bytes cannot be continued, as a sentence; nil if they can, or if that is unknown.
    var resumeRefusal: String? {
        evidence?.resumeRefusal(
            partSize: max(contiguousEnd, 1), hasChecksum: hasChecksum, comparesOverlap: target.comparesOverlap)
    }

    /// Queues a job behind this transfer's others; its reply is handled on the loop.
    func storage(_ job: @escaping @Sendable () -> StorageReply) {
        jobs.count += 1
        let loop = core.loop
        let id = id
        core.storage.submit(key: id) {
            let reply = job()
            loop.run { core in (core.transfer(id)?.handler as? DownloadWriter)?.handle(reply) }
        }
    }

    /// Handles a reply of the storage worker.
    func handle(_ reply: StorageReply) {
        jobs.count -= 1
        switch reply {
        case .located(let result): located(result)
        case .takenInHand(let result): takenInHand(result)
        case .made(let result): made(result)
        case .finished(let result): finished(result)
        case .closed(let kept, let mayGoOn):
            // A file that could not be renamed was kept already, and is not the one closed here.
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
            // A callback that waits for storage gets the error from the partial file.
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

    // MARK: - Finding a partial file

    func prepare(_ done: @escaping (Preparation) -> Void) {
        guard jobs.count == 0 else {
            jobs.whenIdle.append { [unowned self] in prepare(done) }
            return
        }
        if let site {
            goOn(at: site, done)
            return
        }
        if target.collision == .fail, let turn, turn.isBehindAnother, case .fixed(let name) = target.name {
            return done(.failed(SessionError(.destinationExists, StorageErrors.nameTwice(name))))
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
        let now = core.now
        storage {
            .located(
                DownloadSite.locate(
                    target, url: url, resumeData: resumeData, isStaged: isStaged, claim: claim, folders: folders,
                    stagingFolder: stagingFolder, now: now))
        }
    }

    /// Continues the partial file of an earlier attempt; one that was closed is checked first.
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

    /// Returns the site if it is known without disk access.
    private func siteAtOnce() -> DownloadSite? {
        guard !isStaged, description.resumeData == nil else { return nil }
        return DownloadSite.locateAtOnce(
            target, url: description.request.url, mayAdopt: mayAdopt, claim: claim, folders: core.folders,
            now: core.now)
    }

    /// The target, without an earlier partial file if the request must not continue one.
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
            if location.lacksPart { core.emit(.restarted(id, reason: ResumeReasons.partGone)) }
            if let adopted = location.adopted {
                part = adopted.part
                evidence = .stored(adopted.metadata)
                announced = adopted.metadata.announced
                written = adopted.validLength
                hasBranched = !adopted.beyond.isEmpty
                if !adopted.beyond.isEmpty, let length = adopted.metadata.length, let transfer = core.transfer(id) {
                    let plan = SegmentPlan(length: length, contiguousEnd: adopted.validLength, finished: adopted.beyond)
                    makeSegments(plan, host: transfer.host)
                    segments?.joins = location.joins
                    written = plan.contiguousEnd
                }
                adoptSources(adopted.metadata)
                plan.expected = adopted.metadata.length
                plan.resumedAt = received
                conclusion.isComplete = ResumePolicy.isComplete(adopted.metadata, partSize: written)
                if let loss = adopted.loss { core.emit(.restarted(id, reason: loss)) }
            }
            done?(conclusion.isComplete ? .nothingToTransfer : .ready)
        }
    }

    // MARK: - Creating a partial file

    /// Creates a partial file for the current generation; the buffer fills until then.
    func makePart() {
        guard let site, var metadata = evidence?.metadata, !isMakingPart else { return }
        isMakingPart = true
        metadata.announced = announced
        let (facts, target, id, journal) = (metadata, target, id, description.arrangement.partJournal)
        storage { .made(site.makePart(facts, target: target) { journal?.record(part: $0, of: id) == true }) }
    }

    private func made(_ result: Result<DownloadSite.Made, SessionError>) {
        isMakingPart = false
        switch result {
        case .failure(let error):
            if error.lacksDescriptor, retries(error) { return }
            // The few bytes of a response that cannot be saved are not worth continuing.
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
            if core.transfer(id)?.machine.isHolding == true { paused() }
            resumeSink()
            if segments != nil { core.transfer(id)?.connections.segmentsDue() }
        }
    }

    /// Ends the attempt whose bytes could not be saved, so that the transfer tries again later; false without one.
    private func retries(_ error: SessionError) -> Bool {
        guard attempt != nil, previous == nil, core.transfer(id)?.machine.isHolding == false else { return false }
        restart(keepingPart: false)
        endAttemptEarly(.retry(error, afterMilliseconds: nil))
        return true
    }

    // MARK: - Finishing

    func finish(_ done: @escaping (SessionError?) -> Void) {
        if conclusion.wasSkipped {
            // An existing file makes the partial file worthless.
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
        // Every byte is received, so the file's size is meaningful again.
        if segments != nil { description.control.publish([DownloadSegment]()) }
        part.setRanges(nil)
        segments = nil
        self.part = nil
        self.previous = nil
        let length = written
        let id = id
        let stamp = stamp
        let isFinal = !isJoinedOnTrust || hasDoubtedJoin
        let keepsWrong = isFinal && !hasBranched && sources?.board.hasOthers != true
        let announced = announced
        let turn = turn
        storage {
            .finished(
                site.finish(
                    part, previous: previous, target: target, announced: announced, length: expected ?? length,
                    stamp: stamp, turn: turn, keepsWrong: keepsWrong
                ) { file in
                    journal?.record([id: file])
                })
        }
    }

    /// Makes a file of a body that never needed a partial file.
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
                id, body, target: target, announced: announced, stamp: stamp, turn: turn,
                journal: description.arrangement.journal))
    }

    /// The response's metadata that the file keeps.
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
