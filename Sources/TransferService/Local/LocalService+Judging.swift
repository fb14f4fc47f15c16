import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Responses that have to meet conditions, and what follows them.
extension LocalService {
    /// A request that is repeated until a condition holds.
    struct Poll {
        /// The start of the first request, in milliseconds of the monotonic clock.
        let startedAt: Int64
        /// The repetitions.
        var count = 0
        /// Why the latest request was not the last; nil before its response.
        var reason: String?
        /// Whether its time has ended during a request.
        var isOver = false
    }

    /// A response that programs are reading, or whose output is not written yet.
    struct Reading {
        let task: SessionTask
        let completion: TaskCompletion
        let output: BodyOutput?
    }

    /// The consequence of a response for its row.
    enum Judgement {
        case done
        case fails(TransferFailure)
        /// It is sent again after a pause in seconds.
        case asksAgain(String, pause: Double)
    }

    /// Checks the programs of an admitted row, then calls back, perhaps on another thread.
    ///
    /// An invalid one fails the row, and a row that was stopped in the meantime is left as it is: neither calls back.
    func checkPrograms(of row: RowAdmission, _ done: @escaping @Sendable () -> Void) {
        let programs = row.job.options.answerTerms?.programs ?? []
        guard !programs.isEmpty else { return done() }
        let turn = state.withLock { $0.beginSearch(row.id) }
        factory.identity.programs.check(programs) { [weak self] failure in
            guard let self, state.withLock({ $0.endSearch(row.id, turn) }) else { return }
            guard let failure else { return done() }
            let error = SessionError(.invalidRequest, failure.sentence().string, failingURL: row.job.url)
            fail(row.id, TransferFailure(error))
        }
    }

    /// Runs the programs of a row's conditions for a response, then calls back, perhaps on another thread.
    ///
    /// The row has not ended until then. After ``cancelReading(of:)`` it does not call back.
    func runPrograms(
        of row: RowEnding?, _ task: SessionTask, _ completion: TaskCompletion,
        _ done: @escaping @Sendable ([JSONProgram: JSONProgram.Outcome]) -> Void
    ) {
        guard let row, let programs = row.terms?.programs, !programs.isEmpty, completion.error == nil,
            completion.head != nil, let body = Self.body(of: completion, row)
        else { return done([:]) }
        let id = row.id
        state.withLock { $0.readings[id] = Reading(task: task, completion: completion, output: row.output) }
        factory.identity.programs.run(programs, for: body) { [weak self] outcomes in
            guard let self, state.withLock({ $0.takeReading(of: id, by: task) }) != nil else { return }
            done(outcomes)
        }
    }

    /// Ends a row whose response is read by programs or by its output's reader as cancelled; returns false for any other row.
    func cancelReading(of id: UInt64) -> Bool {
        guard let reading = state.withLock({ $0.readings.removeValue(forKey: id) }) else { return false }
        if let output = reading.output, output.mayWait { _ = output.abandon() }
        end(reading.task, reading.completion, nil)
        return true
    }

    /// The body for conditions; nil for one beyond the limit.
    private static func body(of completion: TaskCompletion, _ row: RowEnding) -> [UInt8]? {
        row.output.map(\.copied) ?? completion.body
    }

    /// Compares what a request has led to with what is expected of it, and adds the requests that its response names.
    ///
    /// Nil where no condition decides about this result.
    func judge(
        _ completion: TaskCompletion, _ result: TransferResult, of row: RowEnding,
        _ outcomes: [JSONProgram: JSONProgram.Outcome]
    ) -> Judgement? {
        guard let terms = row.terms else { return nil }
        switch result {
        case .completed: return judge(completion, of: row, terms, outcomes)
        case .cancelled:
            guard let poll = state.withLock({ $0.polls[row.id] }), poll.isOver else { return nil }
            return .fails(TransferFailure(unmet: terms.unanswered(poll.reason), status: nil))
        case .failed:
            guard terms.isPoll, let error = completion.error as? SessionError, error.isTransient else { return nil }
            let verdict = terms.verdict(
                withoutAnswer: error.message, after: secondsOfPoll(row), took: completion.metrics.total)
            return judgement(verdict, status: nil)
        case .unfinished: return nil
        }
    }

    private func judge(
        _ completion: TaskCompletion, of row: RowEnding, _ terms: AnswerTerms,
        _ outcomes: [JSONProgram: JSONProgram.Outcome]
    ) -> Judgement? {
        guard let head = completion.head else { return nil }
        let answer = Answer(
            status: head.statusCode, headers: head.headers, body: Self.body(of: completion, row),
            seconds: completion.metrics.total, readsJSON: terms.readsJSON, url: head.url, outcomes: outcomes)
        let verdict = terms.verdict(on: answer, after: secondsOfPoll(row))
        guard verdict == .done else { return judgement(verdict, status: answer.status) }
        return follow(row, terms, answer).map { .fails($0) } ?? .done
    }

    private func judgement(_ verdict: AnswerVerdict, status: Int?) -> Judgement {
        switch verdict {
        case .done: .done
        case .fails(let sentence): .fails(TransferFailure(unmet: sentence, status: status))
        case .asksAgain(let reason, let pause): .asksAgain(reason, pause: pause)
        }
    }

    // MARK: - Repetition

    /// Reports the start of a row; from then on the time of a poll runs.
    func tellStart(_ id: UInt64) {
        report(id, .started)
        beginPoll(id)
    }

    private func beginPoll(_ id: UInt64) {
        let begun = state.withLock { state -> (start: Int64, limit: Double)? in
            guard state.polls[id] == nil, let slot = state.rows.slot(of: id), !slot.row.isFinal,
                let terms = slot.row.job.options.answerTerms, terms.isPoll
            else { return nil }
            let start = slot.row.run.startedAt ?? cl_monotonic_milliseconds()
            state.polls[id] = Poll(startedAt: start)
            return (start, terms.pollEnd)
        }
        guard let (start, limit) = begun else { return }
        repeatQueue.asyncAfter(deadline: .now() + limit) { [weak self] in self?.endPoll(id, startedAt: start) }
    }

    /// Ends a poll whose time is over; a paused one ends with its next response.
    private func endPoll(_ id: UInt64, startedAt start: Int64) {
        let (isRunning, failure) = state.withLock { state -> (Bool, TransferFailure?) in
            guard let poll = state.polls[id], poll.startedAt == start, let slot = state.rows.slot(of: id),
                !slot.row.isFinal, !slot.row.run.isPausedInQueue, !slot.row.run.isSuspended,
                let terms = slot.row.job.options.answerTerms
            else { return (false, nil) }
            state.polls[id]?.isOver = true
            guard slot.row.run.task == nil else { return (true, nil) }
            return (false, TransferFailure(unmet: terms.unanswered(poll.reason), status: nil))
        }
        if isRunning { cancelForBody(id) }
        if let failure { fail(id, failure) }
    }

    /// The seconds since the first request of a poll.
    private func secondsOfPoll(_ row: RowEnding) -> Double {
        guard let start = state.withLock({ $0.polls[row.id]?.startedAt }) ?? row.startedAt else { return 0 }
        return Double(cl_monotonic_milliseconds() - start) / 1000
    }

    /// Sends a request again after a pause; the row has not ended until then.
    func askAgain(
        _ row: RowEnding, _ reason: String, _ pause: Double, _ task: SessionTask
    ) {
        let now = cl_monotonic_milliseconds()
        // A short request may end before its start is known.
        beginPoll(row.id)
        row.output?.perform { $0.discard() }
        task.dropBody()
        let news = state.withLock { state -> (count: Int, wasStarted: Bool)? in
            state.slotOfTask[task.id] = nil
            guard let slot = state.rows.slot(of: row.id) else { return nil }
            let wasStarted = slot.row.run.wasStarted
            var poll = state.polls[row.id] ?? Poll(startedAt: row.startedAt ?? now)
            poll.count += 1
            poll.reason = reason
            state.polls[row.id] = poll
            state.leaveHours(slot)
            slot.row.run = TransferRow.Run(isRetry: true, queuedAt: now)
            (slot.row.run.startedAt, slot.row.run.wasStarted) = (poll.startedAt, true)
            slot.row.run.waitToAskAgain(until: now + Int64(pause * 1000), poll)
            return (poll.count, wasStarted)
        }
        guard let news else { return }
        save(row.id)
        if !news.wasStarted { report(row.id, .started) }
        report(row.id, .retrying(attempt: news.count, afterSeconds: pause, reason: reason))
        observers.receive(.changed(row.id))
        repeatQueue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                // The user may have cancelled or repeated it in the meantime.
                guard let slot = state.rows.slotWantingTask(row.id), slot.row.run.queuedAt == now else { return }
                slot.row.run.lastStatus = TaskStatus()
                state.enqueue(row.id)
            }
            tellQueue()
        }
    }

    // MARK: - What follows

    /// Adds the downloads and the next page that a response names; returns why that is impossible.
    private func follow(_ row: RowEnding, _ terms: AnswerTerms, _ answer: Answer) -> TransferFailure? {
        let (job, trail) = state.withLock { state -> (Job?, PageTrail?) in
            state.polls[row.id] = nil
            return (state.rows[row.id]?.job, state.trails.removeValue(forKey: row.id))
        }
        guard let job else { return nil }
        do throws(AnswerLinks.Problem) {
            if let path = terms.downloads {
                let urls = try resolved(AnswerLinks.urls(at: path, in: answer), in: answer)
                add(urls.map { job.follower(.download, at: $0) })
            }
            if let source = terms.pages {
                try turn(row, job, trail ?? PageTrail(first: job.url), to: source, terms.pageLimit, answer)
            }
            return nil
        } catch {
            return TransferFailure(kind: "followUp", category: .ordinary, message: error.sentence)
        }
    }

    /// Adds the request of the next page, unless this one is the last.
    private func turn(
        _ row: RowEnding, _ job: Job, _ trail: PageTrail, to source: PageSource, _ limit: Int, _ answer: Answer
    ) throws(AnswerLinks.Problem) {
        let next: String? =
            switch source {
            case .links: LinkField.target(of: "next", in: answer.headers)
            case .path(let path): try AnswerLinks.next(at: path, in: answer)
            }
        let target = if let next { try resolved([next], in: answer).first } else { String?.none }
        var trail = trail
        switch trail.step(to: target, limit: limit) {
        case .last: break
        case .loop(let url): throw AnswerLinks.Problem(sentence: AnswerErrors.loop(Redaction.url(url)))
        case .limit:
            report(row.id, .notice(AnswerLines.pageLimit(limit)))
            // A quiet run must not pass for a complete one.
            if !observers.interest.hearsMilestones {
                observers.receive(.complaint(SafeText(untrusted: AnswerLines.pageLimit(limit))))
            }
        case .next(let url):
            let added = add([job.follower(.data, at: url)]).added
            state.withLock { state in
                for id in added { state.trails[id] = trail }
            }
        }
    }

    private func resolved(_ urls: [String], in answer: Answer) throws(AnswerLinks.Problem) -> [String] {
        try urls.map { url throws(AnswerLinks.Problem) in
            guard let target = try? URLParser.resolve(url, against: answer.url) else {
                throw AnswerLinks.Problem(sentence: AnswerErrors.noAddress(Redaction.url(url)))
            }
            return target
        }
    }
}

extension TransferFailure {
    /// A response that does not meet a condition.
    init(unmet sentence: String, status: Int?) {
        self.init(kind: "condition", category: .condition, message: sentence, httpStatus: status)
    }
}

extension TransferRow.Run {
    /// Shows the wait for the next request of a poll as one for a retry.
    fileprivate mutating func waitToAskAgain(until time: Int64, _ poll: LocalService.Poll) {
        (lastStatus.phase, lastStatus.retryAt, lastStatus.failedAttempts) = (.retrying, time, poll.count)
        retryReason = poll.reason
    }
}

extension Job {
    /// The job of a URL that a response names, without credentials where the URL is of another server.
    ///
    /// A page is the same request with another URL, on another server a GET without a body; a download has the header
    /// fields and options of all requests.
    func follower(_ kind: Kind, at url: String) -> Job {
        var job = self
        job.url = url
        (job.precedence, job.startsPaused) = (nil, false)
        if kind == .download {
            job = Job(kind: .download, url: url)
            job.headers = headers
            job.options = options.filter { [.requests, .downloads].contains($0.option.subject) }
            (job.ifExists, job.continues, job.directory) = (ifExists, continues, directory)
            // They describe the body of the request and the types of its response.
            for name in ["Content-Type", "Accept"] { job.headers.removeAll { ByteText.isSame($0.name, name) } }
            (job.usesHTTP2, job.tag) = (usesHTTP2, tag)
        }
        guard !URLScan.haveSameServer(self.url, url) else { return job }
        (job.method, job.body) = (nil, .none)
        job.headers.removeAll { !HeaderFields.isCrossOriginSafe($0.name) }
        job.options.removeAll { $0.option.reach == .server || $0.option.isBody }
        return job
    }
}

extension LocalService.State {
    /// Takes the response that was read for a task; nil where the row was cancelled in the meantime.
    mutating func takeReading(of id: UInt64, by task: SessionTask) -> LocalService.Reading? {
        guard readings[id]?.task === task else { return nil }
        return readings.removeValue(forKey: id)
    }
}
