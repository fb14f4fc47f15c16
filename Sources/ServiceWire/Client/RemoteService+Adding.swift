import SessionSupport
package import TransferService
package import TransferValues

/// Additions, which are carried out once although services end and replies are lost.
extension RemoteService {
    /// Milliseconds until an addition starts the service once more.
    private static let additionPause: Int64 = 500

    package func add(pages nextPage: () -> [Job]) {
        var jobs = nextPage()
        while !jobs.isEmpty {
            // The reply goes no further, so a failed row stands for a job that is too long.
            for job in send(.add(jobs)).refusals.isEmpty ? [] : jobs.filter(isTooLong) {
                send(.addFailed(url: job.url, message: WireErrors.jobTooLong.string))
            }
            jobs = nextPage()
        }
    }

    /// Whether a job alone is longer than a frame.
    private func isTooLong(_ job: Job) -> Bool {
        let message = ClientMessage.request(.max, .send(.add([portable(job)]), once: .max))
        return ((try? CBOREncoder.encode(message)) ?? []).count > Wire.frameLimit
    }

    func add(_ jobs: [Job]) -> CommandReply {
        var reply = CommandReply()
        for part in Self.parts(jobs) {
            let part = add(part, once: Self.newKey())
            reply.added += part.added
            reply.repeated += part.repeated
            reply.refusals += part.refusals
        }
        return reply
    }

    private static func parts(_ jobs: [Job]) -> [[Job]] {
        stride(from: 0, to: jobs.count, by: Wire.pageLimit).map { start in
            Array(jobs[start..<min(start + Wire.pageLimit, jobs.count)])
        }
    }

    private static func newKey() -> UInt64 { UInt64.random(in: 0...UInt64.max) }

    /// Adds jobs and waits until the disk has them, or has refused them: then with the reason.
    ///
    /// Nil where not all are added and the service has not said why; a service that ends meanwhile is started again, and
    /// none is added twice.
    package func addAndSave(_ jobs: [Job]) -> (reply: CommandReply, unsaved: SafeText?)? {
        var all: (reply: CommandReply, unsaved: SafeText?) = (CommandReply(), nil)
        for part in Self.parts(jobs.map(portable)) {
            guard let (reply, unsaved) = addAndSave(part, once: Self.newKey()) else { return nil }
            all.reply.added += reply.added
            all.reply.repeated += reply.repeated
            all.reply.refusals += reply.refusals
            all.unsaved = unsaved
        }
        return all
    }

    private func addAndSave(_ jobs: [Job], once key: UInt64) -> (CommandReply, SafeText?)? {
        var end: Int64?
        while true {
            let reply = add(jobs, once: key)
            guard reply.refusals.isEmpty else { return (reply, nil) }
            guard Self.isComplete(reply, for: jobs) else { return nil }
            if case .unsaved(let reason)? = ask(.unsaved) { return (reply, reason) }
            // Whether the lost service has saved them is for the next one to say.
            let deadline = end ?? MonotonicClock.milliseconds + additionPatience
            guard restart != nil, MonotonicClock.milliseconds < deadline else { return nil }
            end = deadline
        }
    }

    /// A service that ends adds only some of the jobs.
    static func isComplete(_ reply: CommandReply, for jobs: [Job]) -> Bool {
        reply.added.count + reply.repeated.count == jobs.count
    }

    /// Adds jobs under their numbers, so that an addition whose reply was lost is sent again to the next service.
    ///
    /// The time for that begins when the first request has no answer: one that hangs is waited for before.
    /// Jobs that are too long together are added in halves; one that is too long alone is refused.
    private func add(_ jobs: [Job], once key: UInt64) -> CommandReply {
        let request = WireRequest.send(.add(jobs), once: key)
        var end: Int64?
        while true {
            let link = state.withLock(\.link)
            let answer = link.request(request)
            if case .failed? = answer { return addHalves(of: jobs, once: key) }
            let reply: CommandReply? = if case .sent(let reply)? = answer { reply } else { nil }
            if let reply, Self.isComplete(reply, for: jobs) || welcome.selects == true { return reply }
            guard let restart, welcome.selects != true, !link.isRefused else { return reply ?? CommandReply() }
            let deadline = end ?? MonotonicClock.milliseconds + additionPatience
            end = deadline
            if reply != nil { awaitEnd(of: link) }
            repeat {
                guard MonotonicClock.milliseconds < deadline, state.withLock({ !$0.isClosed && !$0.isStopping }) else {
                    return reply ?? CommandReply()
                }
                restart()
                state.change { ($0.waitsForCommand, $0.isHurried) = (false, true) }
            } while !state.wait(timeoutMilliseconds: Self.additionPause) { $0.link !== link || $0.isClosed }
        }
    }

    private func addHalves(of jobs: [Job], once key: UInt64) -> CommandReply {
        guard jobs.count > 1 else { return CommandReply(refused: .add(jobs), WireErrors.jobTooLong) }
        let half = jobs.count / 2
        var reply = add(Array(jobs[..<half]), once: key)
        // A service that has gone takes the other half no more than this one.
        guard reply.added.count + reply.repeated.count + reply.refusals.count == half else { return reply }
        let rest = add(Array(jobs[half...]), once: key &+ UInt64(half))
        reply.added += rest.added
        reply.repeated += rest.repeated
        reply.refusals += rest.refusals
        return reply
    }

    /// Waits until a service that ends has ended its connection.
    private func awaitEnd(of link: ServiceLink) {
        state.wait(timeoutMilliseconds: Self.stopPatience) { $0.link !== link || !$0.isConnected || $0.isClosed }
    }
}
