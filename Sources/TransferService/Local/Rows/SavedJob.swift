import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Converts a job to its saved form and back.
package enum SavedJob {
    /// The most bytes of options that are saved.
    private static let byteLimit = 1 << 20

    /// Returns whether a later run could resume a job: not one that reads a stream, or writes its body as it comes.
    static func isKept(_ job: Job, printsBodies: Bool) -> Bool {
        guard job.body != .standardInput,
            job.options.isEmpty || job.options.reduce(0, { $0 + $1.text.utf8.count }) <= byteLimit
        else { return false }
        switch (job.kind, job.output) {
        case (.download, .automatic), (.download, .name), (.upload, .automatic): return true
        case (.data, .automatic): return !printsBodies
        case (_, .standardOutput), (.data, .name), (.upload, .name): return false
        }
    }

    /// A job with absolute paths: relative ones start at `base`, or at the current folder without one.
    package static func absolute(_ job: Job, directory: String?, base: String? = nil) -> Job {
        func complete(_ path: String) -> String { absolute(path, base: base) }
        var job = job
        if job.kind == .download, job.output != .standardOutput {
            job.directory = complete(job.directory ?? directory ?? ".")
        }
        switch job.body {
        case .file(let path): job.body = .file(path: complete(path))
        case .formFile(let path): job.body = .formFile(path: complete(path))
        case .none, .text, .standardInput: break
        }
        if !job.options.isEmpty { job.options = job.options.map { $0.withPath(complete) } }
        return job
    }

    package static func absolute(_ path: String, base: String? = nil) -> String {
        guard !path.hasPrefix("/"), let base else { return CurrentFolder.absolute(path) }
        return path == "." ? base : base + "/" + path
    }

    /// The text that the store keeps beside a job's request: the job without what the request contains; nil where
    /// nothing is left.
    ///
    /// A mask replaces each unsaved secret. A switch that turns checks off is never saved: the user must accept that
    /// again.
    /// - Parameters:
    ///   - isJudged: whether the response has met the conditions of the job.
    ///   - key: the job's number in an addition that its client may repeat.
    ///   - told: the bytes of its file that entries of the history have; nil while it has not received any.
    static func annotation(
        of job: Job, isJudged: Bool = false, additionKey key: UInt64? = nil, told: Int64? = nil,
        askedUntil: Int64? = nil
    ) -> String? {
        let hidesBody = job.body.holdsSecret
        guard
            key != nil || told != nil || askedUntil != nil || !job.options.isEmpty || job.tag != nil || hidesBody
                || job.rates != nil
                || job.hours != nil || job.precedence != nil || job.ifExists == .ask || job.aria != nil
                || job.headers.contains(where: { Redaction.hidesField($0.name) })
        else { return nil }
        var kept = Job(kind: job.kind, url: "")
        kept.options = job.options.filter { $0.option.memory != .none }.map(\.storable)
        (kept.tag, kept.rates, kept.hours) = (job.tag, job.rates, job.hours)
        (kept.precedence, kept.aria) = (job.precedence, job.aria)
        if job.ifExists == .ask { kept.ifExists = .ask }
        if hidesBody { kept.body = .masked }
        // The request contains them without their secrets, and does not show that it had some.
        let url = Redaction.url(job.url, userInfo: .removed)
        if url != job.url { kept.url = url }
        for field in job.headers where Redaction.hidesField(field.name) {
            kept.headers.append(name: field.name, value: Redaction.mask)
        }
        let annotation = Annotation(
            job: kept, isJudged: isJudged, additionKey: key, told: told, askedUntil: askedUntil)
        return (try? JSONEncoder().encode(annotation)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A job as it is saved, with a mark once its response has met the conditions.
    private struct Annotation: Encodable {
        enum CodingKeys: String, CodingKey {
            case isJudged = "judged"
            case additionKey = "addition"
            case told
            case askedUntil = "asked"
        }

        let job: Job
        let isJudged: Bool
        let additionKey: UInt64?
        let told: Int64?
        let askedUntil: Int64?

        func encode(to encoder: any Encoder) throws {
            try job.encode(to: encoder)
            guard isJudged || additionKey != nil || told != nil || askedUntil != nil else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            if isJudged { try container.encode(true, forKey: .isJudged) }
            try container.encodeIfPresent(additionKey, forKey: .additionKey)
            try container.encodeIfPresent(told, forKey: .told)
            try container.encodeIfPresent(askedUntil, forKey: .askedUntil)
        }
    }

    /// The number of the job of an annotation in its addition; nil without one.
    ///
    /// Searched for as text, because a session may have very many rows: a quote inside a text of JSON is escaped.
    static func additionKey(in annotation: String?) -> UInt64? { number("addition", in: annotation) }

    /// The bytes of a stored download's file that entries of the history have.
    ///
    /// Without a mark, a file that has begun began at 0, and its end was told.
    static func told(of stored: StoredTransfer) -> ToldBytes {
        guard stored.kind == .download else { return ToldBytes() }
        if let mark = number("told", in: stored.annotation) { return ToldBytes(end: Int64(clamping: mark)) }
        let isTold = stored.standing.isFinal && stored.counts.received > 0
        return ToldBytes(end: isTold ? stored.counts.received : stored.wasStarted ? 0 : nil)
    }

    /// When the job's server wants to be asked again, in seconds since 1970; nil without a long wait.
    static func askedUntil(in annotation: String?) -> Int64? {
        number("asked", in: annotation).map { Int64(clamping: $0) }
    }

    private static func number(_ name: String, in annotation: String?) -> UInt64? {
        guard let annotation, let mark = annotation.range(of: "\"\(name)\":", options: .literal) else { return nil }
        return UInt64(annotation[mark.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    /// The mark of an annotation.
    private struct Mark: Decodable {
        let judged: Bool?
    }

    /// Whether a stored response has been judged: by the conditions of its job, or by its status where it has none.
    ///
    /// The library stores every response as an end, and the program may end before it has compared it.
    static func isJudged(_ stored: StoredTransfer, as job: Job) -> Bool {
        guard job.kind != .download, stored.standing == .completed else { return true }
        guard job.options.answerTerms == nil else {
            let mark = stored.annotation.flatMap { try? JSONDecoder().decode(Mark.self, from: Data($0.utf8)) }
            return mark?.judged == true
        }
        let keepsRedirects = job.kind == .data && job.options.contains(.keepsRedirects)
        return stored.statusCode.map {
            !ResponseHead.isFailure($0, of: job.kind, keepsRedirects: keepsRedirects)
        } ?? true
    }

    /// The job that ``annotation(of:)`` has written; nil for anything else.
    static func kept(_ annotation: String?) -> Job? {
        annotation.flatMap { try? JSONDecoder().decode(Job.self, from: Data($0.utf8)) }
    }

    /// Returns whether a saved job lacks a part without which its request cannot be sent.
    static func lacksSecrets(_ kept: Job) -> Bool {
        !kept.url.isEmpty || !kept.headers.isEmpty || kept.body == .masked || kept.options.contains(where: \.isHidden)
    }

    /// The job of a stored transfer with its annotation.
    static func job(of stored: StoredTransfer, _ kept: Job?) -> Job {
        var job = kept ?? Job(kind: stored.kind, url: "")
        (job.kind, job.url, job.headers) = (stored.kind, stored.request.url, stored.request.headers)
        job.usesHTTP2 = stored.request.allowsHTTP2 ?? false
        if job.body != .masked || !stored.needsCredentials { job.body = body(of: stored.request) }
        if stored.request.method != job.sentMethod { job.method = stored.request.method }
        BodyContentType.removeImplied(from: &job)
        guard case .target(let target) = stored.destination else { return job }
        job.directory = target.folder
        if case .fixed(let name) = target.name { job.output = .name(name) }
        if job.ifExists != .ask { job.ifExists = Job.IfExists(target.collision) }
        job.continues = target.adoptsPart
        job.checksum = target.checksum
        return job
    }

    private static func body(of request: TransferRequest) -> Job.Body {
        switch request.body {
        case .none, .descriptor, .pieces: .none
        case .bytes(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .file(let path): .file(path: path)
        }
    }
}

/// Restores and stores rows.
extension TransferRow {
    /// The lower bits of a stored position contain the queue position, the upper ones the priority, higher ones first.
    fileprivate static var positionBits: Int64 { 40 }

    /// Restores the row of a stored transfer; the caller adds its task.
    ///
    /// - Parameters:
    ///   - secrets: the parts of its job that the session hides, where they were kept.
    ///   - given: the options that this run gives for all requests; a secret among them is no longer missing.
    init(restoring stored: StoredTransfer, _ secrets: Job? = nil, _ given: RunOptions = RunOptions()) {
        let kept = SavedJob.kept(stored.annotation).map(given.replacing)
        let secrets = secrets.map(given.replacing)
        let hidden = SavedJob.job(of: stored, kept)
        self.init(id: stored.id.rawValue, job: secrets.map { hidden.completed(by: $0) } ?? hidden)
        priority = Int8(clamping: -(stored.position >> Self.positionBits))
        position = UInt64(stored.position & (1 << Self.positionBits - 1))
        told = SavedJob.told(of: stored)
        run.isRestored = stored.wasStarted
        defer { restoreWait(SavedJob.askedUntil(in: stored.annotation)) }
        lacksSecrets = secrets == nil && stored.needsCredentials && kept.map(SavedJob.lacksSecrets) != false
        if lacksSecrets {
            hiddenHeaders = kept?.headers.map(\.name) ?? []
            hidesURL = kept.map { !$0.url.isEmpty } ?? true
        }
        // The library makes no task where options are missing, and so does not ask whether to repeat what was sent.
        let mustAsk =
            stored.needsCredentials && (kept ?? secrets) != nil && stored.wasStarted
            && (!stored.request.isIdempotent || stored.mayHaveArrived && !job.options.contains(.resend))
        run.isPausedInQueue = !stored.standing.isFinal && (stored.wanted == .paused || mustAsk)
        guard SavedJob.isJudged(stored, as: job) else {
            expectResponse(again: stored)
            return
        }
        path = stored.filePath
        if job.kind == .download, stored.standing != .completed, !Self.wasWrong(stored) {
            keepPart(at: stored.partPath)
        }
        run.lastStatus.counts = stored.counts
        run.lastStatus.statusCode = stored.statusCode
        run.lastStatus.failedAttempts = stored.failedAttempts
        if let timings = stored.timings { record.metrics = timings.metrics }
        run.result = result(of: stored)
        run.isEarlier = isFinal
        if job.kind == .download, stored.counts.received > 0, run.result != .completed, !Self.wasWrong(stored) {
            if stored.hasLostPart {
                run.lastStatus.received = 0
            } else {
                run.lastStatus.resumability = stored.partResumability ?? .unknown
                if let kept = stored.keptBytes { run.lastStatus.received = kept }
            }
        }
        if let finishedAt = stored.finishedAt {
            let endedAt = Self.moment(of: finishedAt)
            run.endedAt = endedAt
            run.startedAt = stored.startedAt.map { endedAt - Int64(min(max(finishedAt - $0, 0), 1e9) * 1000) }
        }
    }

    /// Lets a request be sent again whose response was not judged; one that may have changed something waits for its
    /// user.
    private mutating func expectResponse(again stored: StoredTransfer) {
        run.isUnjudged = true
        let isHarmless = stored.request.isIdempotent && stored.request.body == .none
        run.isPausedInQueue = !isHarmless && !job.options.contains(.resend)
        run.result = lacksSecrets ? .failed(secretsNotSaved) : nil
        run.isEarlier = isFinal
    }

    /// Both clocks at one moment.
    ///
    /// Read only once: otherwise a row shown before its task exists and again with it would seem to have ended twice.
    private static let clocks = (wall: Date().timeIntervalSince1970, monotonic: cl_monotonic_milliseconds())

    /// Converts a stored time to the monotonic clock.
    private static func moment(of time: Double) -> Int64 {
        clocks.monotonic - Int64(min(max(clocks.wall - time, 0), 1e9) * 1000)
    }

    /// Whether the complete file had arrived with a wrong checksum.
    static func wasWrong(_ stored: StoredTransfer) -> Bool {
        if case .failed(.checksum, _) = stored.standing { true } else { false }
    }

    private func result(of stored: StoredTransfer) -> TransferResult? {
        switch stored.standing {
        case .unfinished, .finishing:
            return lacksSecrets ? .failed(secretsNotSaved) : nil
        case .completed: return .completed
        case .cancelled: return .cancelled
        case .failed(let code, let message):
            var failure = TransferFailure(SessionError(code, message))
            // The store has the library's words only, and the library has none for this failure.
            if code == .internal, !job.predecessors.isEmpty { failure.kind = Cause.predecessor.rawValue }
            failure.partPath = stored.partPath
            if code == .http || code == .authenticationRequired { failure.httpStatus = stored.statusCode }
            return .failed(failure)
        }
    }

    /// The path of the partial file that the latest ended run has left, as far as known: another download may have the
    /// same URL and name.
    var partPath: String? { record.partPath }

    /// Keeps the path of the partial file that a run leaves; one that ends before it begins has not looked for it.
    mutating func keepPart(of completion: TaskCompletion, endedWith result: TransferResult) {
        guard job.kind == .download else { return }
        let left = result == .completed ? nil : completion.resumeData?.partPath
        if left != nil || run.wasStarted || result == .completed { keepPart(at: left) }
    }

    mutating func keepPart(at path: String?) { if path != partPath { record.partPath = path } }

    /// The row's position in the saved order; its id unless it was moved.
    var storedPosition: Int64 { queueKey.storedPosition }

    /// The text that the store keeps beside the row's request.
    ///
    /// - Parameter unsaved: the predecessors that the store lacks.
    func annotation(additionKey key: UInt64? = nil, lacking unsaved: [String]? = nil) -> String? {
        var job = job
        job.precedence?.unsaved = unsaved
        return SavedJob.annotation(
            of: job, isJudged: run.result == .completed && job.options.answerTerms != nil, additionKey: key,
            told: toldMark, askedUntil: run.wait.until)
    }

    /// The row as stored while it has no task, and after its end.
    ///
    /// - Parameter key: the number of its job in an addition that its client may repeat.
    func stored(by factory: TaskFactory, additionKey key: UInt64? = nil) -> StoredTransfer {
        let now = Date().timeIntervalSince1970
        var stored = StoredTransfer(
            id: TransferID(rawValue: id), kind: job.kind, request: factory.request(of: job),
            destination: job.kind == .download ? .target(factory.target(of: job)) : .memory, createdAt: now)
        stored.annotation = annotation(additionKey: key, lacking: job.precedence?.unsaved)
        stored.wanted = run.isPausedInQueue ? .paused : .running
        stored.position = storedPosition
        switch run.result {
        case nil, .unfinished: break
        case .completed: stored.standing = .completed
        case .cancelled: (stored.standing, stored.partPath) = (.cancelled, partPath)
        case .failed(let failure):
            // Text from a server or a file's name is saved, the URL's secrets are not.
            let message = failure.message.replacing(job.url, with: Redaction.url(job.url, userInfo: .removed))
            stored.standing = .failed(SessionError.Code(rawValue: failure.kind) ?? .internal, message: message)
            stored.partPath = failure.partPath
        }
        guard isFinal else { return stored }
        stored.counts = run.lastStatus.counts
        stored.filePath = path
        stored.finishedAt = now
        if let start = run.startedAt, let end = run.endedAt { stored.startedAt = now - Double(end - start) / 1000 }
        stored.statusCode = run.lastStatus.statusCode
        stored.failedAttempts = run.lastStatus.failedAttempts
        stored.timings = record.metrics.flatMap(StoredTransfer.Timings.init)
        return stored
    }
}

extension TransferRow.QueueKey {
    /// The position as saved: higher priorities first.
    var storedPosition: Int64 { Int64(truncatingIfNeeded: position) - Int64(priority) << TransferRow.positionBits }
}
