import CCurl
import Glibc

/// Writes a download's responses into a partial file next to its destination, and turns the complete one into the final
/// file.
///
/// Confined to the transfer loop. Bytes gather in a buffer and are written by the loop, because the page cache takes
/// them at memory speed; everything that may wait for a disk runs on the storage worker, one job at a time per
/// transfer.
final class DownloadWriter: ResponseHandler {
    /// See ``BufferSizes/age``.
    var bufferAge: Int64
    /// A body of at most this length is kept in memory, and written and finished in one storage job.
    static let smallLimit: Int64 = 64 << 10

    let description: TransferDescription
    /// A staged download goes to the staging folder; its destination is asked for at the end.
    let target: DownloadTarget
    let isStaged: Bool
    /// Whether the caller has turned the response into a download, whatever its content.
    var isOfSeenAnswer = false
    let core: LoopCore
    let id: TransferID

    var site: DownloadSite?
    /// The name this download has claimed in its run.
    let claim: DownloadSite.Claim?
    /// Its place among the downloads that want the same name; nil without a fixed name that may get a number.
    let turn: NameTurn?
    var part: PartFile? {
        didSet { pace = nil }
    }
    /// The pace of its checkpoints; nil until bytes are written.
    var pace: CheckpointPace?
    /// The partial file of the previous generation, kept until the new one is worth more.
    var previous: PartFile?
    /// The valid bytes in it.
    var previousLength: Int64 = 0
    /// The evidence for the received bytes; nil before the first response.
    var evidence: DownloadEvidence? {
        didSet {
            promise = nil
            if let evidence { known = evidence }
        }
    }
    /// The latest evidence, even after its bytes were given up.
    var known: DownloadEvidence?
    /// The cached resumability by this evidence, whatever the file's size; nil until computed.
    var promise: Resumability?
    /// How the server has answered a request for the rest; nil before.
    var partAnswer: PartAnswer?
    var history: ResumeHistory
    /// Whether bytes were joined that only the checksum can prove to be of one file.
    var isJoinedOnTrust = false
    /// Whether the file was requested once more because such bytes had a wrong checksum.
    private(set) var hasDoubtedJoin = false
    /// The checksum that the server has announced; nil without one.
    var announced: Checksum?
    /// The existing file that the server is asked about; nil if the file is wanted in any case.
    var copy: ExistingCopy?
    /// Bytes in the partial file.
    var written: Int64 = 0
    var buffer: [UInt8] = []
    /// When the buffer was last empty, in milliseconds.
    var emptiedAt: Int64 = 0
    /// Whether the partial file is being created and the buffer has to wait for it.
    var isMakingPart = false
    var attempt: Attempt?
    var plan = Plan()
    var jobs = Jobs()
    var conclusion = Conclusion()
    /// The bytes beyond the front and the branches that receive them; nil for a download on one connection.
    var segments: SegmentedDownload?
    /// The sources of the file; nil for a single one.
    var sources: DownloadSources?
    /// Whether a branch's response contradicted the lead's response, after which no further branch is made.
    var hasContradicted = false
    var hasBranched = false
    /// The front when the current range began.
    var answeredAt: Int64 = 0
    /// The front when the file was last requested on a single connection, and how often that was tried there.
    private var alone = (contiguousEnd: Int64(-1), count: 0)

    /// The server's answer to a request for the rest of the file.
    enum PartAnswer {
        case part, full
    }

    init(_ description: TransferDescription, target: DownloadTarget?, core: LoopCore) {
        self.description = description
        self.core = core
        bufferAge = core.buffers.age
        history = ResumeHistory(
            comparison: .everyRange, retries: core.configuration.maximumRetries, patience: ResumeHistory.oddAnswerLimit)
        id = description.id
        isStaged = target == nil
        self.target =
            target
            ?? DownloadTarget(
                folder: core.stagingFolder, name: .fixed(StagingFolder.name(of: description.id)), adoptsPart: false)
        let entry = description.arrangement.entry ?? description.id
        claim = target.flatMap { DownloadSite.Claim($0, url: description.request.url, id: entry, core.names) }
        turn = target.flatMap { NameTurn($0, id: entry, core.names) }
        if let mirrors = target?.mirrors, ResumePolicy.mayAdopt(description.request) {
            sources = DownloadSources(SourceBoard(description.request.url, mirrors))
        }
    }

    var received: Int64 { conclusion.keptBytes ?? contiguousEnd + (segments?.plan.bytesBeyond ?? 0) }
    var expected: Int64? { plan.expected }
    var resumedAt: Int64 { plan.resumedAt }

    var resumability: Resumability {
        if conclusion.hasNoPart { return .no }
        let size = max(contiguousEnd, 1)
        if let length = evidence?.length, size > length { return .no }
        if let promise { return promise }
        guard
            let known = evidence?.resumability(
                partSize: size, hasSeenPart: partAnswer == .part, hasChecksum: hasChecksum,
                comparesOverlap: target.comparesOverlap)
        else { return .no }
        let promise = known == .yes && partAnswer == .full ? .unknown : known
        // A file too short to compare now may be long enough a moment later.
        if known != .no || !target.comparesOverlap { self.promise = promise }
        return promise
    }

    /// Whether the complete file is verified with a checksum, so that its bytes need no other proof.
    var hasChecksum: Bool { target.checksum != nil }

    /// Whether the rest may be requested, whatever the response will be.
    var mayAskForRest: Bool { resumability != .no }

    var canRestart: Bool { true }

    // MARK: - Request

    func additionalFields() -> HeaderFields {
        endBranchesAtContiguousEnd()
        if core.falseServers.contains(asked) { history.compareAlways() }
        if let sources, let fields = foreignFields(sources) { return fields }
        history.endRepeats = endRepeats
        var fields = Self.completeFileFields
        guard !history.asksForAll, let metadata = rangeMetadata,
            let (range, ifRange) = ResumePolicy.rangeRequest(
                metadata, of: asked, offset: contiguousEnd, end: segments?.plan.leadEnd, hasChecksum: hasChecksum,
                comparesOverlap: target.comparesOverlap, history: history)
        else {
            for field in copyAskedFor?.conditions ?? HeaderFields() {
                fields.append(name: field.name, value: field.value)
            }
            return fields
        }
        fields.append(name: "Range", value: range)
        guard let ifRange else { return fields }
        // A date is no ETag: a newer generation may have no other proof.
        fields.append(name: asksByIfMatch ? "If-Match" : "If-Range", value: ifRange)
        return fields
    }

    /// Whether the bytes to continue end in ones that a file has in many positions.
    private var endRepeats: Bool {
        guard contiguousEnd > RangeOverlap.short, writeBuffer() == nil,
            let bytes = part?.bytes(in: written - RangeOverlap.short..<written)
        else { return false }
        return !bytes.withUnsafeBytes { FirstBytes.areNotifying($0) }
    }

    /// The URL of the current request.
    var asked: String { core.transfer(id)?.request.url ?? description.request.url }

    /// Whether ranges are requested with `If-Match`, because the server ignores them next to `If-Range`.
    var asksByIfMatch: Bool { history.usedIfMatch && evidence?.metadata.entityTag != nil }

    /// Whether the server has sent a range of the file.
    var hasSeenPart: Bool { partAnswer == .part }

    /// Sets the attempt whose body is written now.
    func attach(_ attempt: Attempt) { self.attempt = attempt }

    static let completeFileFields: HeaderFields = ["Accept-Encoding": "identity"]

    /// The facts that the current request for the rest is based on; nil for a request for everything.
    var rangeMetadata: StoredMetadata? { contiguousEnd > 0 && mayAskForRest ? evidence?.metadata : nil }

    // MARK: - Ends

    func bodyEnded() -> NextStep {
        hearTrailers()
        let hasOtherDigest = attempt?.hasOtherDigest == true
        attempt = nil
        if hasOtherDigest { return stepAfterFalseRange() }
        if conclusion.isComplete || conclusion.wasSkipped { return .complete }
        if let error = contradictedLength { return .fail(error) }
        guard let expected else {
            return received < plan.leastLength ? .fail(FileExpectation.shortBody(received)) : .complete
        }
        let isNew = hasAdvanced
        if let error = passFinished() { return .fail(error) }
        absorbFinished()
        if contiguousEnd >= expected { return .complete }
        if plan.allowance == 0, !history.rangeEnded(bringing: contiguousEnd - answeredAt), asksForAll() {
            return .nextRange
        }
        // A range without new bytes counts as a failed attempt, or it would be requested again forever.
        if plan.allowance == 0, isNew { return .nextRange }
        return .retry(
            SessionError(.truncated, ResponseErrors.incomplete(received, of: expected)), afterMilliseconds: nil)
    }

    /// Returns the step after a range whose bytes are not the announced ones: they are requested again.
    ///
    /// What a branch had received before it became the lead cannot be told apart, so its file begins again.
    private func stepAfterFalseRange() -> NextStep {
        guard history.mayRestart else {
            return .fail(SessionError(.badResponse, ResumeReasons.again(ResumeReasons.otherDigest)))
        }
        guard plan.isOfBranch else { return .takeBack(reason: ResumeReasons.otherDigest) }
        history.sawLie()
        core.falseServers.add(asked)
        hasContradicted = true
        return .restart(reason: ResumeReasons.otherDigest)
    }

    /// Requests all of the file next, which replaces the received bytes only when it arrives; returns false if that was
    /// done before.
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
        // The bytes of a server that has sent a false range are not worth keeping.
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

    /// Bytes from several responses may have a wrong checksum although the bytes of each have the right one.
    ///
    /// A server that breaks off each time makes each file one of several responses, so that is believed once.
    func reasonToRestart(after error: SessionError) -> String? {
        guard error.code == .checksum else { return nil }
        if isJoinedOnTrust, !hasDoubtedJoin {
            hasDoubtedJoin = true
            return ResumeReasons.oldPartMixed
        }
        guard hasBranched else { return nil }
        (hasBranched, hasContradicted) = (false, true)
        return ResumeReasons.connectionsMixed
    }

    /// Keeps the received bytes and requests the rest on one connection: once after each progress, and a few times more
    /// if a status refuses it, because that may be temporary.
    ///
    /// A server that refuses all ranges is then asked for the full file, which replaces the received bytes only when it
    /// arrives.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard hasBranched, mayAskForRest, (sources?.board.sources.count ?? 1) == 1 else { return false }
        hasContradicted = true
        segments?.end()
        if contiguousEnd > alone.contiguousEnd { alone = (contiguousEnd, 0) }
        alone.count += 1
        if alone.count <= (error.statusCode == nil ? 1 : 1 + ResumeHistory.oddAnswerLimit) { return true }
        guard !history.asksForAll else { return false }
        history.asksForAll = true
        history.rangeRefusal = error.message
        return true
    }

    /// Gives up the received bytes; the storage worker deletes the file.
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
        result.keptPartPath = conclusion.keptPartPath
        if conclusion.mayGoOn, let partPath = conclusion.keptPartPath {
            result.resumeData = ResumeData(
                url: description.request.url, headers: description.request.headers, partPath: partPath,
                target: isStaged ? nil : target)
        }
        return result
    }

    func takePendingData() -> [UInt8]? { nil }
    var isChunkDue: Bool { false }
    func consumed(_ count: Int) -> Bool { true }

    /// Resumes an attempt that waited for the partial file.
    func resumeSink() { core.transfer(id)?.sinkHasRoom() }

    /// Ends the current attempt because nothing more of it is needed, or can be saved.
    func endAttemptEarly(_ next: NextStep = .complete) {
        guard let attempt else { return }
        attempt.decide(next)
        core.recordEnd(of: attempt, result: CURLE_OK)
    }
}
