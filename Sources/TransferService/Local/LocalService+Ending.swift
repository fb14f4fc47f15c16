import CLinux
import SessionCore
import SessionSupport

/// The end of a task: its row's result, what the end leads to, and the event that reports it.
///
/// Called on the delegate queue, like the events before it.
extension LocalService {
    /// Ends the run of a task, whose row may have changed while programs read the response; without their outcomes it was
    /// cancelled in the meantime.
    func end(
        _ task: SessionTask, _ completion: TaskCompletion, _ outcomes: [JSONProgram: JSONProgram.Outcome]?
    ) {
        end(withRow(of: task) { $1.ending }, task, completion, outcomes)
    }

    func end(
        _ row: RowEnding?, _ task: SessionTask, _ completion: TaskCompletion,
        _ outcomes: [JSONProgram: JSONProgram.Outcome]?
    ) {
        if let row {
            endRun(of: row, completion, task, outcomes)
            followEnd(of: row.id)
        }
        running.leave(task)
        tellUnsaved()
    }

    private func endRun(
        of row: RowEnding, _ completion: TaskCompletion, _ task: SessionTask,
        _ outcomes: [JSONProgram: JSONProgram.Outcome]?
    ) {
        let id = row.id
        // A response that ends its transfer is not reported before.
        reportLeftFields(of: task)
        let (isClosing, isChanging) = state.withLock { state in
            (state.isClosing, !state.isClosing && state.successions[id]?.change != nil)
        }
        let isCancelled = outcomes == nil
        var result = isCancelled ? .cancelled : Self.result(of: completion, row)
        switch judge(completion, result, of: row, outcomes ?? [:]) {
        case nil, .done: break
        case .fails(let failure): result = .failed(failure)
        case .asksAgain(let reason, let pause):
            if !isClosing, !isChanging { return askAgain(row, reason, pause, task) }
            result = .cancelled
        }
        if isChanging, result != .completed { return endForChange(row, completion, task) }
        if !isClosing, case .failed(let failure) = result, asksAboutFile(row, failure, task) { return }
        // The body of a refusal waits until a command has been asked.
        let isWithheld =
            result.refusedStatus.map { status in state.withLock { mayReplace(refusal: status, of: id, $0) } } == true
        if !isWithheld, let failure = endOutput(of: row, completion, result: result), result != .cancelled || !isClosing
        {
            result = .failed(TransferFailure(failure, path: row.output?.path))
        }
        if isClosing, result == .cancelled { result = .unfinished }
        if case .failed(let failure) = result, !isClosing { result = .failed(watched(failure, of: id)) }
        let now = cl_monotonic_milliseconds()
        let path = completion.filePath ?? row.output?.path
        let keepsBodies = observers.interest.keepsBodies
        let isExpiry = mayBeExpiry(result, body: completion.body)
        var row = row
        let (isStart, isAnswered, question, ended) = state.withLock { [row] state in
            guard let slot = state.rows.slot(of: id) else {
                return (false, true, nil as CommandQuestion?, nil as EndedRow?)
            }
            let isAnswered = slot.row.run.wasAnswered
            slot.row.end(result, completion, completion.head, path: path, at: now, keepingDetails: keepsBodies)
            if keepsBodies { state.shelveBody(of: id) }
            if case .completed = result {
                state.slotOfTask[task.id] = nil
                state.forgetSecrets(of: id)
                if !state.expiries.isEmpty { state.expiries[id] = nil }
            }
            let isStart = Self.tellsStart(row, endedWith: result) && state.recordStart(slot, at: now)
            var question: CommandQuestion?
            if case .failed(let failure) = result {
                question = state.holdRefused(slot, task, failure, isExpiry: isExpiry, at: now)
                if question == nil { state.recordFailure(of: slot.row) }
            }
            let ended = state.tellEnd(of: slot)
            if row.discardsPart {
                slot.row.run.lastStatus.received = 0
                slot.row.run.lastStatus.resumability = .no
            }
            return (isStart, isAnswered, question, ended)
        }
        row.ended = ended
        // The library does not know that this response or body counts as a failure here.
        // Without the mark of its verdict, a later run sends a request with conditions again.
        switch result {
        case .failed: save(id)
        case .completed: if row.terms != nil { save(id) }
        // For the library it is a completed request, or the row was to go on.
        case .cancelled: if isCancelled || row.keepsWish && staysEnded(id) { save(id) } else { saveTold(of: ended) }
        case .unfinished: break
        }
        if row.discardsPart { manager.discardPart(of: task) }
        // The row keeps its failed task for the partial file, and the body of an error status may be long.
        task.dropBody()
        if isStart { tellStart(id) }
        // The library sends no event for a response that ends its transfer.
        if tellsHeads, !isAnswered, let head = completion.head { reportAnswer(id, head, task) }
        let timings = TransferEvent.Timings(completion.metrics)
        // A saved upload goes on in the next run.
        if result != .completed, !isClosing || !isSaved, row.kind == .upload, let note = completion.fileNote {
            report(id, .notice(note))
        }
        switch result {
        case .completed:
            secrets?.remove([id])
            let seconds = Double(now - (row.startedAt ?? now)) / 1000
            let summary = Self.summary(of: completion, row: row, path: path, seconds: seconds)
            archive(id, summary)
            reportEnd(id, .completed(summary), timings, of: ended)
        case .failed(let failure):
            if let question { return ask(question, row, failure, timings) }
            if !isClosing, asksByPlainHTTP(row.id, completion.error) { break }
            if isWithheld { _ = endOutput(of: row, completion, result: result) }
            reportEnd(id, .failed(failure), timings, of: ended)
        case .cancelled: reportEnd(id, .cancelled, timings, of: ended)
        case .unfinished: reportEnd(id, .paused, of: nil)
        }
        if result != .cancelled, row.kind == .data { planRepeat(id) }
    }

    /// Saves how many bytes of a cancelled row are told; the library has saved the rest of its end.
    private func saveTold(of ended: EndedRow?) {
        if let ended = ended?.row, ended.told.latest > 0 { saveJob(of: ended.id) }
    }

    /// Whether nothing was asked for that follows a row's end.
    private func staysEnded(_ id: UInt64) -> Bool { state.withLock { $0.successions[id] == nil } }

    /// Retries over plain http when https was a guess and the server speaks only http; returns false after any other
    /// failure.
    ///
    /// Only the library's run has ended, not the row's. Credentials are never sent in clear text.
    private func asksByPlainHTTP(_ id: UInt64, _ error: (any Error)?) -> Bool {
        guard let error = error as? SessionError, error.isPlainAnswer,
            var job = state.withLock({ $0.rows[id]?.job }), job.guessesScheme, !job.saysWhoAsks, !job.hasBody,
            job.url.hasPrefix("https://")
        else { return false }
        job.url = "http" + job.url.dropFirst("https".count)
        // It has begun, whether or not it was added paused.
        (job.guessesScheme, job.startsPaused) = (false, false)
        let isReplaced = state.withLock { state in
            let now = cl_monotonic_milliseconds()
            guard case .added = state.replace(id, with: job, keeping: TaskStatus(), isTold: false, at: now) else {
                return false
            }
            state.liveCount -= 1
            state.enqueue(id)
            return true
        }
        guard isReplaced else { return false }
        save(id)
        report(id, .notice(ServiceLines.plainHTTP))
        observers.receive(.changed(id))
        tellQueue()
        return true
    }

    /// Returns whether an end also reports the start: a short transfer may end before its first status.
    private static func tellsStart(_ row: RowEnding, endedWith result: TransferResult) -> Bool {
        switch result {
        case .completed: true
        case .failed: row.wasResumed
        case .cancelled, .unfinished: false
        }
    }

    private static func result(of completion: TaskCompletion, _ row: RowEnding) -> TransferResult {
        if let error = completion.error {
            if let error = error as? SessionError, error.code == .cancelled { return .cancelled }
            return .failed(TransferFailure(error))
        }
        let isJudged = row.terms?.judgesStatus == true
        if !isJudged, let head = completion.head,
            ResponseHead.isFailure(head.statusCode, of: row.kind, keepsRedirects: row.keepsRedirects)
        {
            return .failed(TransferFailure(head: head))
        }
        return .completed
    }

    /// Ends a streamed body; the body of an error status is complete too.
    ///
    /// An upload's response is written here.
    private func endOutput(
        of row: RowEnding, _ completion: TaskCompletion, result: TransferResult
    ) -> BodyOutput.Failure? {
        guard let output = row.output else { return nil }
        guard !output.isAbandoned else {
            output.perform { _ = $0.end(isComplete: false) }
            return nil
        }
        if let head = completion.head { output.setHead(head) }
        _ = output.release()
        if row.kind == .upload, !completion.body.isEmpty { _ = output.write(completion.body) }
        return output.end(isComplete: completion.error == nil)
    }

    /// The bytes by which an upload may lack to be told complete; those on their way are none of them.
    private static let uploadTolerance: Int64 = 64 << 10

    /// A server that accepts an upload before it has read it may have stored less.
    ///
    /// The length of a body from a pipe is known once it was read to its end.
    private static func earlyResponse(to status: TaskStatus) -> String? {
        guard let length = status.expectedToSend else { return ServiceErrors.earlyResponse(status.sent) }
        guard status.sent < length - uploadTolerance else { return nil }
        return ServiceErrors.earlyResponse(status.sent, of: length)
    }

    private static func summary(
        of completion: TaskCompletion, row: RowEnding, path: String?, seconds: Double
    ) -> TransferEvent.Completion {
        let bytes = row.kind == .upload ? completion.status.sent : completion.status.received
        let began = row.beganAt < 0 ? completion.status.resumedAt : row.beganAt
        let passedOn = row.output?.proven
        let proven = completion.verifiedAlgorithm ?? passedOn?.algorithm
        let digest = completion.verifiedDigest ?? passedOn.map { ByteText.hexadecimal($0.digest) }
        return TransferEvent.Completion(
            path: path, bytes: bytes, earlierBytes: row.kind == .download && 0 < began && began < bytes ? began : nil,
            sha256: proven == .sha256 ? digest : nil, seconds: seconds,
            wasSkipped: completion.wasSkipped,
            isUnchanged: completion.isUnchanged,
            lengthWasVerified: row.kind == .upload || completion.lengthWasVerified || proven != nil,
            note: completion.fileNote ?? row.output?.note ?? earlyResponse(to: completion.status),
            proof: proven.map { .matches($0.rawValue) }
                ?? (row.findsChecksum && !completion.wasSkipped ? .notFound : nil))
    }
}

extension TransferEvent.Timings {
    /// Creates the timings of a transfer; nil for one without an attempt.
    init?(_ metrics: TransferMetrics) {
        func step(_ seconds: Double) -> Double? { seconds > 0 ? seconds : nil }
        guard let total = step(metrics.total) else { return nil }
        self.init()
        (nameLookup, connect) = (step(metrics.nameLookup), step(metrics.connect))
        (secureConnect, firstByte, self.total) = (step(metrics.secureConnect), step(metrics.firstByte), total)
    }
}
