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
        var count = 1
    }

    /// What becomes of a row after a response.
    enum Judgement {
        case done
        case fails(TransferFailure)
        /// It is sent again after a pause in seconds.
        case asksAgain(String, pause: Double)
    }

    /// Compares a response with what is expected of it, and adds the requests that it names.
    func judge(_ completion: TaskCompletion, of row: RowEnding) -> Judgement {
        guard let terms = row.terms, let head = completion.head else { return .done }
        let answer = Answer(
            status: head.statusCode, headers: head.headers, body: row.output.map(\.copied) ?? completion.body,
            seconds: completion.metrics.total, readsJSON: terms.readsJSON, url: head.url)
        switch terms.verdict(on: answer, after: secondsOfPoll(row)) {
        case .done: return follow(row, terms, answer).map { .fails($0) } ?? .done
        case .fails(let sentence): return .fails(TransferFailure(unmet: sentence, status: answer.status))
        case .asksAgain(let reason): return .asksAgain(reason, pause: terms.pollPause)
        }
    }

    // MARK: - Repetition

    /// The seconds since the first request of a poll.
    func secondsOfPoll(_ row: RowEnding) -> Double {
        guard let start = state.withLock({ $0.polls[row.id]?.startedAt }) ?? row.startedAt else { return 0 }
        return Double(cl_monotonic_milliseconds() - start) / 1000
    }

    /// Sends a request again after a pause; the row has not ended until then.
    func askAgain(
        _ row: RowEnding, _ reason: String, _ pause: Double, _ task: SessionTask
    ) {
        let now = cl_monotonic_milliseconds()
        row.output?.discard()
        task.dropBody()
        let count = state.withLock { state -> Int? in
            state.slotOfTask[task.id] = nil
            guard let slot = state.rows.slot(of: row.id) else { return nil }
            var poll = state.polls[row.id] ?? Poll(startedAt: row.startedAt ?? now, count: 0)
            poll.count += 1
            state.polls[row.id] = poll
            slot.row.run = TransferRow.Run(isRetry: true, queuedAt: now)
            slot.row.run.startedAt = poll.startedAt
            return poll.count
        }
        guard let count else { return }
        save(row.id)
        report(row.id, .retrying(attempt: count, afterSeconds: pause, reason: reason))
        observers.receive(.changed(row.id))
        repeatQueue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                // The user may have cancelled or repeated it in the meantime.
                guard let slot = state.rows.slotWantingTask(row.id), slot.row.run.queuedAt == now else { return }
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
        case .limit: report(row.id, .notice(AnswerLines.pageLimit(limit)))
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
    init(unmet sentence: String, status: Int) {
        self.init(kind: "condition", category: .condition, message: sentence, httpStatus: status)
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
        if kind == .download {
            job = Job(kind: .download, url: url)
            job.headers = headers
            job.options = options.filter { $0.option.subject == .requests }
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
