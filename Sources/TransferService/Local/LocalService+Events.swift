import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Translates the library's task events into transfer events; no other code knows both vocabularies.
///
/// Called on the delegate queue, in order for each task.
extension LocalService {
    /// Handles one event of a task; drops events of tasks that a retry has replaced.
    func handle(_ event: SessionTaskEvent, of task: SessionTask) {
        switch event {
        case .resumed: recordResume(task)
        case .suspended: recordPause(task)
        case .status(let status): recordStatus(status, task)
        case .response(let head): recordResponse(head, task)
        case .restarted(let reason):
            if let id = withRow(of: task, { $1.id }) { report(id, .restarted(reason: reason)) }
        case .source(let change):
            if let id = withRow(of: task, { $1.id }) { report(id, Self.event(of: change)) }
        case .retrying(let attempt, let milliseconds, let reason):
            recordRetry(attempt, milliseconds, reason, task)
        case .completed(let completion):
            let row = withRow(of: task) { $1.ending }
            guard row?.output != nil || row?.terms != nil else { return end(row, task, completion, [:]) }
            afterBody(of: row, task, completion) { service in
                service.runPrograms(of: row, task, completion) { [weak service] outcomes in
                    service?.end(task, completion, outcomes, of: row)
                }
            }
        case .data, .moved, .moveFailed, .resumedAtOffset: break
        }
    }

    /// Reads or changes the row of a task with one lookup under the lock; nil when the task has no row any more.
    private func withRow<Result>(of task: SessionTask, _ body: (inout State, RowSlot) -> Result) -> Result? {
        state.withLock { state in
            // A task that was refused may have the number of the row's current one.
            guard let slot = state.slotOfTask[task.id], slot.row.run.task === task else { return nil }
            return body(&state, slot)
        }
    }

    private static func event(of change: SourceEvent) -> TransferEvent.What {
        switch change {
        case .dropped(let url, let reason): .mirrorDropped(url: url, reason: reason)
        case .switched(let url, let earlier, let reason): .mirrorSwitched(url: url, from: earlier, reason: reason)
        }
    }

    private func recordResume(_ task: SessionTask) {
        let news = withRow(of: task) { state, slot in
            (id: slot.id, isFirst: slot.row.run.recordResume(at: cl_monotonic_milliseconds()))
        }
        if let news, !news.isFirst { report(news.id, .resumed) }
    }

    private func recordPause(_ task: SessionTask) {
        let id = withRow(of: task) { state, slot in
            slot.row.run.isSuspended = true
            return slot.id
        }
        guard let id else { return }
        report(id, .paused)
    }

    private func recordRetry(_ attempt: Int, _ milliseconds: Int64, _ reason: String, _ task: SessionTask) {
        let news = withRow(of: task) { state, slot in
            slot.row.run.retryReason = reason
            // The retry of an attempt that ended at once may be reported before its status.
            return (id: slot.id, isStart: state.recordStart(slot))
        }
        guard let news else { return }
        if news.isStart { tellStart(news.id) }
        // The library does not count attempts that made progress, so its number may be zero.
        report(
            news.id, .retrying(attempt: max(attempt, 1), afterSeconds: Double(milliseconds) / 1000, reason: reason))
    }

    private func recordStatus(_ status: TaskStatus, _ task: SessionTask) {
        let hasSlot =
            switch status.phase {
            case .connecting, .running, .verifying: true
            // A wait for the host of other tasks is none for a retry.
            case .retrying: status.backoffReason == nil || status.failedAttempts > 0
            case .queued, .paused, .completed, .failed, .cancelled: false
            }
        let showsRows = observers.interest.showsRows
        let patience = stallTimeout
        let news = withRow(of: task) { state, slot in
            slot.row.run.recordBeginning(status)
            return (
                id: slot.id, isStart: hasSlot && state.recordStart(slot),
                isSilent: slot.row.run.recordSilence(status, limit: patience, now: MonotonicClock.milliseconds),
                // Plain lines report nothing of a transfer before its first byte.
                news: showsRows
                    ? slot.row.run.recordStatus(status) : status.received > 0 || status.sent > 0 ? .numbers : .nothing
            )
        }
        guard let news else { return }
        if news.isStart { tellStart(news.id) }
        if news.isSilent { report(news.id, .notice(ServiceLines.noResponse(Int(patience.rounded(.up))))) }
        switch news.news {
        case .nothing: break
        case .numbers: observers.receive(.moved(news.id))
        case .phase: observers.receive(.changed(news.id))
        }
    }

    private func recordResponse(_ head: ResponseHead, _ task: SessionTask) {
        let showsRows = observers.interest.showsRows
        let isEncoded = head.headers["Content-Encoding"] != nil
        let news = withRow(of: task) { state, slot in
            if showsRows { slot.row.record.head = head }
            slot.row.run.wasAnswered = true
            let dropsBody = head.statusCode >= 400 && slot.row.job.kind == .download
            let output = slot.row.run.output
            if let output, mayReplace(refusal: head.statusCode, of: slot.id, state) { output.perform { $0.hold() } }
            return (
                id: slot.id, isStart: state.recordStart(slot), output: output, dropsBody: dropsBody,
                isEncoded: isEncoded, codings: isEncoded ? slot.row.job.storedCodings(of: head) : nil
            )
        }
        guard let news else { return }
        if news.isStart { tellStart(news.id) }
        news.output?.perform { output in
            output.setHead(head)
            if news.dropsBody { output.dropBody() }
        }
        reportAnswer(news.id, head, task)
        if let codings = news.codings { report(news.id, .notice(ServiceLines.savedEncoded(codings))) }
        if news.isEncoded, let word = head.unknownCodings.first {
            report(news.id, .notice(ServiceLines.unknownCoding(word)))
        }
    }

    private func reportAnswer(_ id: UInt64, _ head: ResponseHead, _ task: SessionTask) {
        guard observers.interest.hearsMilestones else { return }
        let shown = tellsHeads ? TransferEvent.Head(head, hiding: row(id)?.job.declaredSecrets ?? []) : nil
        report(
            id,
            .response(
                status: head.statusCode, headers: head.headers.count,
                continuation: task.status.resumability, head: shown))
    }

    // MARK: - The end

    /// Ends the run of a task, whose row may have changed while programs read the response; without their outcomes it was
    /// cancelled in the meantime.
    func end(
        _ task: SessionTask, _ completion: TaskCompletion, _ outcomes: [JSONProgram: JSONProgram.Outcome]?
    ) {
        end(withRow(of: task) { $1.ending }, task, completion, outcomes)
    }

    private func end(
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
        let (isClosing, isChanging) = state.withLock { state in
            (state.isClosing, !state.isClosing && state.successions[id]?.change != nil)
        }
        let head = completion.head
        let isCancelled = outcomes == nil
        var result = isCancelled ? .cancelled : Self.result(of: completion, head, row)
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
        let (isStart, isAnswered) = state.withLock { state in
            guard let slot = state.rows.slot(of: id) else { return (false, true) }
            let isAnswered = slot.row.run.wasAnswered
            slot.row.end(result, completion, head, path: path, at: now, keepingDetails: keepsBodies)
            if case .failed = result { state.recordFailure(of: slot.row) }
            if row.discardsPart {
                slot.row.run.lastStatus.received = 0
                slot.row.run.lastStatus.resumability = .no
            }
            if keepsBodies { state.shelveBody(of: id) }
            if case .completed = result {
                state.slotOfTask[task.id] = nil
                state.forgetSecrets(of: id)
                if !state.expiries.isEmpty { state.expiries[id] = nil }
            }
            return (Self.tellsStart(row, endedWith: result) && state.recordStart(slot, at: now), isAnswered)
        }
        // The library does not know that this response or body counts as a failure here.
        // Without the mark of its verdict, a later run sends a request with conditions again.
        switch result {
        case .failed: save(id)
        case .completed: if row.terms != nil { save(id) }
        // For the library it is a completed request, or the row was to go on.
        case .cancelled: if isCancelled || row.keepsWish && staysEnded(id) { save(id) }
        case .unfinished: break
        }
        if row.discardsPart { manager.discardPart(of: task) }
        // The row keeps its failed task for the partial file, and the body of an error status may be long.
        task.dropBody()
        if isStart { tellStart(id) }
        // The library sends no event for a response that ends its transfer.
        if tellsHeads, !isAnswered, let head { reportAnswer(id, head, task) }
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
            reportEnd(id, .completed(summary), timings)
        case .failed(let failure):
            if !isClosing, isAskedAgain(row, failure, completion, timings) { break }
            if isWithheld { _ = endOutput(of: row, completion, result: result) }
            reportEnd(id, .failed(failure), timings)
        case .cancelled: reportEnd(id, .cancelled, timings)
        case .unfinished: reportEnd(id, .paused)
        }
        if result != .cancelled, row.kind == .data { planRepeat(id) }
    }

    /// Whether nothing was asked for that follows a row's end.
    private func staysEnded(_ id: UInt64) -> Bool { state.withLock { $0.successions[id] == nil } }

    /// Whether a failure is not the end of its row, because another request follows.
    private func isAskedAgain(
        _ row: RowEnding, _ failure: TransferFailure, _ completion: TaskCompletion, _ timings: TransferEvent.Timings?
    ) -> Bool {
        asksForOtherSecrets(row, failure, timings)
            || asksForFreshLink(row, failure, body: completion.body, timings)
            || asksByPlainHTTP(row.id, completion.error)
    }

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
        job.guessesScheme = false
        let isReplaced = state.withLock { state in
            guard case .added = state.replace(id, with: job, keeping: TaskStatus(), at: cl_monotonic_milliseconds())
            else {
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

    private static func result(
        of completion: TaskCompletion, _ head: ResponseHead?, _ row: RowEnding
    ) -> TransferResult {
        if let error = completion.error {
            if let error = error as? SessionError, error.code == .cancelled { return .cancelled }
            return .failed(TransferFailure(error))
        }
        let isJudged = row.terms?.judgesStatus == true
        if let head, !isJudged, ResponseHead.isFailure(head.statusCode, keepsRedirects: row.keepsRedirects) {
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

extension LocalService.State {
    /// Counts the first sign of a free slot as the start; returns true when this is it.
    fileprivate func recordStart(
        _ slot: RowSlot, at time: @autoclosure () -> Int64 = cl_monotonic_milliseconds()
    ) -> Bool {
        guard !slot.row.run.wasStarted else { return false }
        return slot.row.run.recordStart(at: time(), addedAt: additionTimes.moment(of: slot.id))
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

extension TransferEvent.Head {
    /// The head of a response with its secrets masked, and with them the fields that its user has declared secret.
    fileprivate init(_ head: ResponseHead, hiding declared: [SecretField]) {
        self.init(
            version: head.version.rawValue, reason: head.reasonPhrase,
            fields: head.headers.map { field in
                let isDeclared = declared.contains { ByteText.isSame($0.name, field.name) }
                return Field(
                    name: field.name,
                    value: isDeclared ? Redaction.mask : Redaction.header(name: field.name, value: field.value))
            })
    }
}
