import CCurl
import Glibc

/// Writes a download's responses into a part beside its destination, and makes the whole part the final file.
///
/// Confined to the transfer loop. Bytes gather in a buffer and are written from the loop, because the page cache takes
/// them at memory speed; everything that can wait for a disk runs on the storage worker, one job at a time per
/// transfer.
final class DownloadWriter: ResponseHandler {
    /// See ``BufferSizes/age``.
    var bufferAge: Int64
    /// A body of at most this length is kept in memory and written in one storage job with its finish.
    static let smallLimit: Int64 = 64 << 10

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
    /// The bytes of it that count.
    var previousLength: Int64 = 0
    /// What the bytes at hand are known by; nil before the first answer.
    var evidence: DownloadEvidence? {
        didSet {
            promise = nil
            if let evidence { known = evidence }
        }
    }
    /// What the bytes of an earlier attempt or run were known by, also when they were given up.
    var known: DownloadEvidence?
    /// What this evidence says about going on with a part, whatever its size; nil until somebody asks.
    var promise: Resumability?
    /// Whether the server has sent the rest of the file once, or all of it though the rest was asked for.
    var partAnswer: PartAnswer?
    var history: ResumeHistory
    /// Whether bytes were joined that only the checksum can prove to be of one file.
    var isJoinedOnTrust = false
    /// What the server has announced the whole to be; nil where it has not.
    var announced: Checksum?
    /// The file that the server is asked about; nil where all of it is wanted in any case.
    var copy: ExistingCopy?
    /// Bytes that stand in the part.
    var written: Int64 = 0
    var buffer: [UInt8] = []
    /// When the buffer was empty last, in milliseconds.
    var emptiedAt: Int64 = 0
    /// Whether the part's file is being made and the buffer has to wait for it.
    var isMakingPart = false
    var attempt: Attempt?
    var plan = Plan()
    var jobs = Jobs()
    var conclusion = Conclusion()
    /// The bytes beyond the front and the connections that bring them; nil for a download of one connection.
    var segments: SegmentedDownload?
    /// The places that the file may come from; nil where there is one.
    var sources: DownloadSources?
    /// Whether an answer to a further connection contradicted the lead's, after which none is made any more.
    var hasContradicted = false
    var hasBranched = false
    /// Where the front was when the current range began.
    var answeredAt: Int64 = 0
    /// Where the front was when one connection was asked alone last, and how often it has been there.
    private var alone = (front: Int64(-1), count: 0)

    /// How the server has answered a request for the rest of the file.
    enum PartAnswer {
        case part, whole
    }

    init(_ description: TransferDescription, target: DownloadTarget?, core: LoopCore) {
        self.description = description
        self.core = core
        bufferAge = core.buffers.age
        history = ResumeHistory(
            comparison: .withoutTag, retries: core.configuration.maximumRetries, patience: ResumeHistory.oddAnswerLimit)
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

    var received: Int64 { conclusion.keptBytes ?? front + (segments?.plan.bytesBeyond ?? 0) }
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
        // Too little to be compared now may be enough a moment later.
        if known != .no || !target.comparesOverlap { self.promise = promise }
        return promise
    }

    /// Whether the whole is compared with a checksum in the end, so that bytes need no other proof.
    var hasChecksum: Bool { target.checksum != nil }

    /// Whether the rest may be asked for, whatever the answer will be.
    var mayAskForRest: Bool { resumability != .no }

    var canRestart: Bool { true }

    // MARK: - Request

    func additionalFields() -> HeaderFields {
        clearFrontForLead()
        if core.falseServers.contains(asked) { history.compareAlways() }
        if let sources, let fields = foreignFields(sources) { return fields }
        var fields = Self.completeFileFields
        guard !history.asksForAll, let facts = rangeFacts,
            let (range, ifRange) = ResumePolicy.rangeRequest(
                facts, of: asked, offset: front, end: segments?.plan.leadEnd, hasChecksum: hasChecksum,
                comparesOverlap: target.comparesOverlap, history: history)
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

    static let completeFileFields: HeaderFields = ["Accept-Encoding": "identity"]

    /// What the current request asks for the rest with; nil when it asks for everything.
    var rangeFacts: StoredFacts? { front > 0 && mayAskForRest ? evidence?.facts : nil }

    // MARK: - Ends

    func bodyEnded() -> NextStep {
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
        if plan.allowance == 0, !history.rangeEnded(bringing: front - answeredAt), asksForAll() { return .nextRange }
        // A range that brought nothing new is a failed try, or it would be asked for again for ever.
        if plan.allowance == 0, isNew { return .nextRange }
        return .retry(
            SessionError(.truncated, ResponseErrors.incomplete(received, of: expected)), afterMilliseconds: nil)
    }

    /// Has all of the file asked for, which takes the place of what is here only when it comes; false where it was asked for.
    private func asksForAll() -> Bool {
        guard !history.asksForAll, (sources?.board.sources.count ?? 1) == 1 else { return false }
        hasContradicted = true
        segments?.end()
        history.asksForAll = true
        history.rangeRefusal = ResumeHistory.meagreWords
        return true
    }

    func attemptBroke() { attempt = nil }

    func restart(keepingPart: Bool) {
        // What a server has lied about is worth less than nothing.
        if keepingPart, !history.hasSeenLie {
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

    func takeBack() -> Bool {
        let isFirst = !history.hasSeenLie
        history.sawLie()
        core.falseServers.add(asked)
        hasContradicted = true
        let start = plan.start
        guard start > 0, isFirst else {
            restart(keepingPart: false)
            return false
        }
        if start < written {
            written = start
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeLast(max(buffer.count - Int(start - written), 0))
        }
        dropSegments()
        cutPart(to: written)
        return true
    }

    /// A checksum that is wrong for bytes of two answers may be right for those of one.
    func reasonToRestart(after error: SessionError) -> String? {
        guard error.code == .checksum else { return nil }
        if isJoinedOnTrust {
            return ResumeReasons.oldPartMixed
        }
        guard hasBranched else { return nil }
        (hasBranched, hasContradicted) = (false, true)
        return ResumeReasons.connectionsMixed
    }

    /// What is here stays, and one connection brings the rest: once for each time that it brings something, and a few times
    /// more where an answer refuses it, because that may pass.
    ///
    /// A server that refuses all parts by now is asked for the whole, which takes the place of what is here only when it
    /// comes.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard hasBranched, mayAskForRest, (sources?.board.sources.count ?? 1) == 1 else { return false }
        hasContradicted = true
        segments?.end()
        if front > alone.front { alone = (front, 0) }
        alone.count += 1
        if alone.count <= (error.statusCode == nil ? 1 : 1 + ResumeHistory.oddAnswerLimit) { return true }
        guard !history.asksForAll else { return false }
        history.asksForAll = true
        history.rangeRefusal = error.message
        return true
    }

    /// Gives up what is here.
    ///
    /// The file goes on the storage worker.
    func dropPart() {
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
        attempt.decide(.complete)
        core.recordEnd(of: attempt, result: CURLE_OK)
    }
}
