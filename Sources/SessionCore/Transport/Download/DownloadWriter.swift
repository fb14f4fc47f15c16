import CCurl
import Glibc

/// Writes a download's responses into a part beside its destination, and makes the whole part the final file.
///
/// Confined to the transfer loop. Bytes gather in a buffer and are written from the loop, because the page cache takes
/// them at memory speed; everything that can wait for a disk runs on the storage worker, one job at a time per
/// transfer.
final class DownloadWriter: ResponseHandler {
    /// Bytes gathered before they are written.
    ///
    /// Larger buffers were measured to gain nothing.
    static let bufferSize = 256 << 10
    /// See ``BufferSizes/age``.
    var bufferAge: Int64
    /// A body of at most this length is kept in memory and written in one storage job with its finish.
    private static let smallLimit: Int64 = 64 << 10

    let description: TransferDescription
    /// Nil for a staged download, whose destination is asked for at the end.
    let target: DownloadTarget
    let isStaged: Bool
    /// Whether the caller has seen the answer and made a download of it, whatever it is.
    var isOfSeenAnswer = false
    let core: LoopCore
    let id: TransferID

    var site: DownloadSite?
    /// The name that this download has in its run.
    let claim: DownloadSite.Claim?
    var part: PartFile? {
        didSet { pace = nil }
    }
    /// When its bytes are brought to the disk; nil until some are written.
    var pace: CheckpointPace?
    /// The part of the earlier generation, kept until the new one is worth more.
    var previous: PartFile?
    private var previousLength: Int64 = 0
    /// What the bytes at hand are known by; nil before the first answer.
    var evidence: DownloadEvidence? {
        didSet {
            promise = nil
            if let evidence { known = evidence }
        }
    }
    /// What the bytes of an earlier attempt or run were known by, also when they were given up.
    private var known: DownloadEvidence?
    /// What this evidence says about going on with a part, whatever its size; nil until somebody asks.
    private var promise: Resumability?
    /// Whether the server has sent the rest of the file once, or all of it though the rest was asked for.
    private var partAnswer: PartAnswer?
    private var history: ResumeHistory
    /// Whether bytes were joined that only the checksum can prove to be of one file.
    private(set) var isJoinedOnTrust = false
    /// What the server has announced the whole to be; nil where it has not.
    private(set) var announced: Checksum?
    /// The file that the server is asked about; nil where all of it is wanted in any case.
    var copy: ExistingCopy?
    /// Bytes that stand in the part.
    var written: Int64 = 0
    var buffer: [UInt8] = []
    /// When the buffer was empty last, in milliseconds.
    var emptiedAt: Int64 = 0
    /// Whether the part's file is being made and the buffer has to wait for it.
    var isMakingPart = false
    private var attempt: Attempt?
    var plan = Plan()
    var jobs = Jobs()
    var conclusion = Conclusion()
    /// The bytes beyond the front and the connections that bring them; nil for a download of one connection.
    var segments: SegmentedDownload?
    /// The places that the file may come from; nil where there is one.
    var sources: DownloadSources?
    /// Whether an answer to a further connection contradicted the lead's, after which none is made any more.
    var hasContradicted = false

    /// How the server has answered a request for the rest of the file.
    private enum PartAnswer {
        case part, whole
    }

    init(_ description: TransferDescription, target: DownloadTarget?, core: LoopCore) {
        self.description = description
        self.core = core
        bufferAge = core.buffers.age
        history = ResumeHistory(retries: core.configuration.maximumRetries)
        id = description.id
        isStaged = target == nil
        self.target =
            target
            ?? DownloadTarget(
                folder: core.stagingFolder, name: .fixed(StagingFolder.name(of: description.id)), adoptsPart: false)
        claim = target.flatMap { DownloadSite.Claim($0, url: description.request.url, core.names) }
        if let mirrors = target?.mirrors, ResumePolicy.mayAdopt(description.request) {
            sources = DownloadSources(SourceBoard(description.request.url, mirrors))
        }
    }

    var received: Int64 { front + (segments?.plan.bytesBeyond ?? 0) }
    var expected: Int64? { plan.expected }
    var resumedAt: Int64 { plan.resumedAt }

    var resumability: Resumability {
        if conclusion.hasNoPart { return .no }
        let size = max(front, 1)
        if let length = evidence?.length, size > length { return .no }
        if let promise { return promise }
        guard
            let known = evidence?.resumability(
                partSize: size, hasSeenPart: partAnswer == .part, hasChecksum: hasChecksum,
                comparesOverlap: target.comparesOverlap)
        else { return .no }
        let promise = known == .yes && partAnswer == .whole ? .unknown : known
        self.promise = promise
        return promise
    }

    /// Whether the whole is compared with a checksum in the end, so that bytes need no other proof.
    var hasChecksum: Bool { target.checksum != nil }

    /// Whether the rest may be asked for, whatever the answer will be.
    var mayAskForRest: Bool { resumability != .no }

    var canRestart: Bool { true }

    // MARK: - Request

    func additionalFields() -> HeaderFields {
        makeWay()
        if let sources, let fields = foreignFields(sources) { return fields }
        var fields = Self.wholeFileFields
        guard let facts = rangeFacts,
            let (range, ifRange) = ResumePolicy.rangeRequest(
                facts, of: asked, offset: front, end: segments?.plan.leadEnd, hasChecksum: hasChecksum,
                comparesOverlap: target.comparesOverlap)
        else {
            for field in copyAskedFor?.conditions ?? HeaderFields() {
                fields.append(name: field.name, value: field.value)
            }
            return fields
        }
        fields.append(name: "Range", value: range)
        guard let ifRange else { return fields }
        // A date is no tag: a newer generation may have no other proof.
        fields.append(name: asksByIfMatch ? "If-Match" : "If-Range", value: ifRange)
        return fields
    }

    /// Whom the current request goes to.
    var asked: String { core.transfer(id)?.request.url ?? description.request.url }

    /// Whether ranges are asked for with `If-Match`, because the server ignores them beside `If-Range`.
    var asksByIfMatch: Bool { history.usedIfMatch && evidence?.facts.entityTag != nil }

    /// Whether the server has sent a part of the file in answer to a range.
    var hasSeenPart: Bool { partAnswer == .part }

    /// The attempt whose body is written now.
    func attach(_ attempt: Attempt) { self.attempt = attempt }

    static let wholeFileFields: HeaderFields = ["Accept-Encoding": "identity"]

    /// What the current request asks for the rest with; nil when it asks for everything.
    private var rangeFacts: StoredFacts? { front > 0 && mayAskForRest ? evidence?.facts : nil }

    // MARK: - Response

    func judge(_ head: ResponseHead, of attempt: Attempt) {
        self.attempt = attempt
        if let copy = copyAskedFor, let next = judge(copy, by: head) {
            attempt.verdict = .decided(next)
            return
        }
        if let sources, judgeSource(head, of: attempt, sources) { return }
        let now = Int64(time(nil))
        let expectation = expectation
        let action = ResumePolicy.judge(
            head, request: description.request, facts: rangeFacts, offset: front, hasChecksum: hasChecksum,
            comparesOverlap: target.comparesOverlap, expectation: expectation, history: history, now: now)
        switch action {
        case .fresh(let length):
            announced = AnnouncedDigest.checksum(of: head)
            begin(.whole(length, leastLength: expectation.leastLength(of: head, length: length)), length, head, attempt)
        case .append(let plan):
            announced = AnnouncedDigest.checksum(of: head) ?? announced
            append(plan, head, attempt)
        case .newGeneration(let facts, let length, let reason):
            let plan = Plan.whole(length, leastLength: expectation.leastLength(of: head, length: length))
            announced = AnnouncedDigest.checksum(of: head)
            beginNewGeneration(facts, plan, reason: reason, attempt)
            considerSegments(head, attempt.transfer)
        case .restart(let reason):
            history.restarts += 1
            attempt.verdict = .decided(.restart(reason: reason))
        case .finishWithoutBody:
            conclusion.isComplete = true
            attempt.verdict = .decided(.complete)
        case .retryWithIfMatch:
            history.usedIfMatch = true
            attempt.verdict = .decided(.nextRange)
        case .waitAndRetry(let delay, let error):
            attempt.verdict = .decided(.retry(error, afterMilliseconds: delay))
        case .failure(let error):
            attempt.verdict = .decided(.fail(error))
        }
    }

    /// A redirect is no file, and what is here of one stays a part.
    func endsWithRedirect(_ head: ResponseHead) -> Preparation {
        .failed(ResumePolicy.error(.http, "The server answered \(ResumePolicy.phrase(head))", head))
    }

    /// What a whole answer is measured by.
    var expectation: FileExpectation {
        var result = FileExpectation(known: evidence ?? known, partSize: max(front, previousLength))
        if isOfSeenAnswer { return result }
        result.name = description.request.url
        if !isStaged, case .fixed(let name) = target.name, name.utf8.contains(0x2E) { result.name = name }
        return result
    }

    /// Whether it is so short that it may become whole without a part.
    var isSmall: Bool { expected.map { $0 <= Self.smallLimit } ?? false }

    private func begin(_ plan: Plan, _ length: BodyLength, _ head: ResponseHead, _ attempt: Attempt) {
        dropPart()
        evidence = .answer(FreshAnswer(request: description.request, head: head, length: length))
        if let sources { begin(sources, head, attempt) }
        self.plan = plan
        site?.chooseName(target: target, head: head)
        attempt.sink = self
        attempt.verdict = .accepted
        // Beside an older generation it gets a part too, so that both are put in order together.
        if let expected, isSmall, previous == nil {
            buffer.reserveCapacity(Int(expected))
        } else {
            buffer.reserveCapacity(core.buffers.gathered)
            makePart()
            addLinkedSources(head, attempt)
            considerSegments(head, attempt.transfer)
        }
    }

    func append(_ plan: AppendPlan, _ head: ResponseHead, _ attempt: Attempt) {
        partAnswer = .part
        let isProven = evidence.map(\.facts).map { $0.strongValidator != nil && $0.isSource(asked) } ?? false
        isJoinedOnTrust = isJoinedOnTrust || !isProven
        promise = nil
        let earlier = self.plan.resumedAt
        self.plan = .rest(plan, leastLength: self.plan.leastLength)
        // While other connections go on the lead begins in the middle of the same run.
        self.plan.resumedAt = segments.map { $0.working > 1 ? earlier : received } ?? plan.offset
        buffer.reserveCapacity(core.buffers.gathered)
        attempt.sink = self
        attempt.verdict = .accepted
        considerSegments(head, attempt.transfer)
    }

    /// The whole of something newer arrives: it gets a part of its own until it is worth more than the old one.
    private func beginNewGeneration(
        _ facts: StoredFacts, _ plan: Plan, reason: String, _ attempt: Attempt
    ) {
        writeBuffer()
        setPartAside()
        written = 0
        buffer.removeAll(keepingCapacity: true)
        core.emit(.restarted(id, reason: reason))
        // The same version as a whole: it was asked for its rest in vain.
        if partAnswer == nil, evidence?.facts.strongValidator == facts.strongValidator { partAnswer = .whole }
        evidence = .stored(facts)
        if let sources { begin(sources, nil, attempt) }
        self.plan = plan
        attempt.sink = self
        attempt.verdict = .accepted
        buffer.reserveCapacity(core.buffers.gathered)
        makePart()
    }

    /// Keeps the part as the earlier generation, or the one that is kept already when that is worth more.
    private func setPartAside() {
        guard let part else { return }
        if let segments { part.setRanges(segments.written(lead: written)) }
        dropSegments()
        self.part = nil
        guard let earlier = previous else {
            previous = part
            previousLength = written
            return
        }
        let dropped = written > previousLength ? earlier : part
        if dropped === earlier {
            previous = part
            previousLength = written
        }
        storage {
            dropped.discard()
            return .done
        }
    }

    func bodyEnded() -> Attempt.Next {
        attempt = nil
        if conclusion.isComplete || conclusion.wasSkipped { return .complete }
        if let error = contradictedLength { return .fail(error) }
        guard let expected else {
            return received < plan.leastLength ? .fail(FileExpectation.shortBody(received)) : .complete
        }
        let isNew = hasNewFront
        if let error = passFinished() { return .fail(error) }
        absorbFinished()
        if front >= expected { return .complete }
        // A range that brought nothing new is a failed try, or it would be asked for again for ever.
        if plan.allowance == 0, isNew { return .nextRange }
        return .retry(
            SessionError(.truncated, "The server sent \(received) of \(expected) bytes"), afterMilliseconds: nil)
    }

    func attemptBroke() { attempt = nil }

    func restart(keepingPart: Bool) {
        if keepingPart {
            writeBuffer()
            setPartAside()
        }
        dropPart()
        evidence = nil
        isJoinedOnTrust = false
        announced = nil
        conclusion = Conclusion()
        plan.expected = nil
        plan.resumedAt = 0
    }

    /// A checksum that is wrong for bytes of two answers may be right for those of one.
    func reasonToStartAnew(after error: SessionError) -> String? {
        guard error.code == .checksum, isJoinedOnTrust else { return nil }
        return "The part that was here was of another version: the checksum of the whole is wrong"
    }

    /// Gives up what is here.
    ///
    /// The file goes on the storage worker.
    private func dropPart() {
        if !buffer.isEmpty { buffer.removeAll(keepingCapacity: true) }
        written = 0
        dropSegments()
        guard let part else { return }
        self.part = nil
        storage {
            part.discard()
            return .done
        }
    }

    // MARK: - The result

    var result: BodyResult {
        var result = BodyResult(
            filePath: conclusion.file?.path, verifiedDigest: conclusion.file?.digest,
            verifiedAlgorithm: conclusion.file?.algorithm, wasSkipped: conclusion.wasSkipped,
            isUnchanged: conclusion.isUnchanged,
            note: conclusion.file.flatMap { $0.note ?? site?.note }, lengthWasVerified: plan.lengthIsVerifiable,
            hasNoFile: conclusion.hasNoFile)
        if conclusion.mayGoOn, let partPath = conclusion.keptPartPath {
            result.resumeData = ResumeData(
                url: description.request.url, headers: description.request.headers, partPath: partPath,
                target: isStaged ? nil : target)
        }
        return result
    }

    func takePendingData() -> [UInt8]? { nil }
    func consumed(_ count: Int) -> Bool { true }

    /// Lets an attempt go on that waited for the part.
    func resumeSink() { core.transfer(id)?.sinkHasRoom() }

    /// Ends the current attempt because nothing more of it is wanted.
    func endAttemptEarly() {
        guard let attempt else { return }
        attempt.verdict = .decided(.complete)
        core.recordEnd(of: attempt, result: CURLE_OK)
    }
}
