import Testing

@testable import FleetQueue

@Suite("What a worker holds and does next")
struct WorkerBookTests {
    private func job(_ id: Int64, host: String = "h", url: String? = nil, epoch: Int64 = 1) -> ClaimedJob {
        ClaimedJob(id: id, epoch: epoch, host: host, url: url ?? "http://\(host)/\(id)", destination: "\(id)")
    }

    private func book(_ slots: Int, perHost: Int? = nil, jobs: [ClaimedJob]) -> WorkerBook {
        var book = WorkerBook(slots: slots, perHost: perHost)
        book.take(jobs)
        return book
    }

    @Test("A claim is no larger than the free slots plus a quarter", arguments: [(1, 2), (4, 5), (6, 7), (16, 20)])
    func claims(slots: Int, most: Int) {
        var book = WorkerBook(slots: slots)
        #expect(book.claimCount == most)
        book.take((1...most).map { job(Int64($0)) })
        #expect(book.claimCount == 0)
        check(book.starts().count, is: slots)
        #expect(book.claimCount == 0)
        book.take(.done(1, received: 1, result: nil))
        #expect(book.claimCount == 1)
    }

    @Test("Finished jobs wait for each other while others run, and any other report waits for none")
    func urgentReports() {
        var book = book(3, jobs: [job(1), job(2), job(3, host: "i")])
        #expect(book.hasWork && !book.hasUrgentReports)
        check(book.starts().count, is: 3)
        book.take(.done(1, received: 1, result: nil))
        #expect(book.hasWork && !book.hasUrgentReports)
        book.take(.failed(2, .again(JobCause("reset"))))
        #expect(book.hasUrgentReports)
        book.sent(book.outbox)
        book.take(.done(3, received: 1, result: nil))
        #expect(!book.hasWork && book.hasUrgentReports)
    }

    @Test("The numbers of jobs are the ones that a look at each job gives", arguments: 1...20)
    func numbers(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var book = WorkerBook(slots: 4)
        for id in 1...200 as ClosedRange<Int64> {
            let rate: Int64? = id % 3 == 0 ? 9 : nil
            book.take([ClaimedJob(id: id, epoch: 1, host: "h", url: "http://h/", destination: "d", rate: rate)])
            _ = book.starts()
            let one = Int64.random(in: 1...id, using: &numbers)
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: book.take(.done(one, received: 1, result: nil))
            case 1: book.take(.asks(one))
            case 2: book.take(.stopped(one, received: nil))
            case 3: _ = book.take([LeaseAnswer(id: one, wish: .pause, isHostHeld: false)], asked: book.leased)
            case 4: _ = book.share(["h": 5], among: book.runningHosts)
            default: book.sent(book.outbox)
            }
            let jobs = Array(book.held.values)
            for phase in HeldJob.Phase.allCases { #expect(book.count(phase) == jobs.count { $0.phase == phase }) }
            #expect(book.hasLeases == !book.leased.isEmpty && book.held.count == jobs.count)
            #expect(book.hasQuestions == jobs.contains { $0.asks && $0.phase == .running })
            #expect(book.runningHosts.isEmpty == !book.isBusy)
        }
    }

    @Test("Starts keep to the worker's limit per host, and others may overtake")
    func perHost() {
        var book = book(3, perHost: 1, jobs: [job(1), job(2), job(3, host: "i")])
        check(book.starts(), is: [.start(job(1)), .start(job(3, host: "i"))])
        check(book.starts(), is: [])
        book.take(.done(1, received: 1, result: nil))
        check(book.starts(), is: [.start(job(2))])
    }

    @Test("A job that waits for a slot, of a host with a gap, asks before it begins and keeps its slot meanwhile")
    func late() {
        func spaced(_ id: Int64) -> ClaimedJob {
            ClaimedJob(id: id, epoch: 1, host: "g", url: "http://g/\(id)", destination: "\(id)", nextStart: "t\(id)")
        }
        var book = book(2, jobs: [job(1), job(2)])
        check(book.starts().count, is: 2)
        book.take([spaced(3), spaced(4), job(5)])
        check(book.starts(), is: [])
        #expect(book.late.isEmpty, "no slot is free")
        book.take(.done(1, received: 1, result: nil))
        check(book.starts(), is: [])
        #expect(book.late.map(\.job.id) == [3, 4])
        check(book.begin(["g"], of: book.late), is: [.start(spaced(3))])
        book.take(.done(2, received: 1, result: nil))
        check(book.starts(), is: [])
        check(book.begin([], of: book.late), is: [.start(job(5))])
        #expect(book.outbox.handBacks == [HandBack(id: 4, epoch: 1)])
        // One that begins at its claim has the start that it was given.
        var free = self.book(1, jobs: [spaced(3)])
        check(free.starts(), is: [.start(spaced(3))])
    }

    @Test("Running jobs share what their host's rate gives this worker, also for jobs that have not begun")
    func shares() {
        func limited(_ id: Int64, to rate: Int64) -> ClaimedJob {
            ClaimedJob(id: id, epoch: 1, host: "r", url: "http://r/\(id)", destination: "\(id)", rate: rate)
        }
        var book = book(2, jobs: [limited(1, to: 900), limited(2, to: 300), limited(3, to: 300), job(4)])
        #expect(book.runningHosts.isEmpty)
        check(book.starts().count, is: 2)
        #expect(book.runningHosts == ["r"])
        check(book.share(["r": 300], among: ["r"]), is: [.limit(1, 450), .limit(2, 450)])
        check(book.share(["r": 300], among: ["r"]), is: [], "it is told once")
        book.take(.done(1, received: 1, result: nil))
        check(book.starts(), is: [.start(limited(3, to: 300))])
        check(book.share(["r": 450], among: ["r"]), is: [.limit(3, 450)])
        check(book.share([:], among: ["r"]), is: [.limit(2, nil), .limit(3, nil)])
        // A host may get a rate while its jobs run.
        check(book.share(["r": 80], among: book.runningHosts), is: [.limit(2, 80), .limit(3, 80)])
    }

    @Test("A poisoned job is a dead letter at once, and the others start")
    func poisoned() {
        let traversal = ClaimedJob(id: 3, epoch: 1, host: "h", url: "http://h/3", destination: "../3")
        let header = #"{"header":["A: \#(String(repeating: "a", count: 1_000_000))"]}"#
        let long = ClaimedJob(id: 4, epoch: 1, host: "h", url: "http://h/4", destination: "4", request: header)
        // A host's secrets are for its own URLs.
        let elsewhere = job(5, url: "http://i/5")
        var book = book(4, jobs: [job(1), job(2, url: "nonsense"), traversal, long, elsewhere])
        check(book.starts(), is: [.start(job(1))])
        #expect(book.outbox.failures.map(\.id) == [2, 3, 4, 5])
        #expect(book.outbox.failures.map(\.isFinal) == [true, true, true, true])
        #expect(
            book.outbox.failures.map(\.cause.text)
                == [JobFaults.noScheme, JobFaults.traversal, JobFaults.longField, JobFaults.otherHost])
        book.sent(book.outbox)
        #expect(book.leased.map(\.job.id) == [1])
    }

    @Test("A job without an answer is stopped, and its late end is no report")
    func lost() {
        var book = book(1, jobs: [job(1), job(2)])
        _ = book.starts()
        check(book.take([], asked: book.leased), is: [.stop(1)])
        #expect(book.leased.isEmpty)
        book.take(.done(1, received: 1, result: nil))
        #expect(book.outbox.isEmpty)
        #expect(book.claimCount == 2)
    }

    @Test("An answer to an older question does not concern a job that has come again")
    func oldAnswer() {
        var book = book(1, jobs: [job(1)])
        let asked = book.leased
        book.take([job(1)])
        #expect(book.outbox.handBacks.count == 1, "the second claim goes back while the first one is there")
        var fresh = self.book(1, jobs: [job(1, epoch: 2)])
        check(fresh.take([], asked: asked), is: [])
        #expect(fresh.leased.count == 1)
    }

    @Test("Wishes park running jobs and give ready ones back")
    func wishes() {
        var book = book(1, jobs: [job(1), job(2)])
        _ = book.starts()
        let answers = [LeaseAnswer(id: 1, wish: .pause), LeaseAnswer(id: 2, wish: .cancel)]
        check(book.take(answers, asked: book.leased), is: [.stop(1)])
        #expect(book.outbox.handBacks == [HandBack(id: 2, epoch: 1)])
        check(book.take(answers, asked: book.leased), is: [], "it is told once")
        book.take(.stopped(1, received: 9))
        #expect(book.outbox.handBacks.last == HandBack(id: 1, epoch: 1, received: 9))
    }

    @Test("A host that refuses keeps its ready jobs from starting; running ones go on")
    func hold() {
        var book = book(2, jobs: [job(1), job(2), job(3), job(4, host: "i")])
        _ = book.starts()
        book.take(.failed(1, .hold(seconds: 3, "429")))
        #expect(book.outbox.holds == [Outbox.Hold(host: "h", seconds: 3, cause: "429")])
        #expect(book.outbox.handBacks.map(\.id) == [1, 3])
        check(book.starts(), is: [.start(job(4, host: "i"))])
        // So does one that refuses connections.
        var refused = self.book(1, jobs: [job(1), job(3), job(4, host: "i")])
        _ = refused.starts()
        refused.take(.failed(1, .refused("refused")))
        #expect(refused.outbox.holds == [Outbox.Hold(host: "h", seconds: nil, cause: "refused")])
        #expect(
            refused.outbox.failures == [Failure(id: 1, epoch: 1, cause: "refused", isFinal: false, isRefusal: true)])
        #expect(refused.outbox.handBacks.map(\.id) == [3])
        // A host that a redirect named is held in place of the job's own, and the attempt counts.
        var redirected = self.book(1, jobs: [job(1), job(3), job(4, host: "i")])
        _ = redirected.starts()
        redirected.take(.failed(1, .refused("refused", host: "i")))
        #expect(redirected.outbox.holds == [Outbox.Hold(host: "i", seconds: nil, cause: "refused")])
        #expect(redirected.outbox.failures == [Failure(id: 1, epoch: 1, cause: "refused", isFinal: false)])
        #expect(redirected.outbox.handBacks.map(\.id) == [4])
        check(redirected.starts(), is: [.start(job(3))])
        // The same by word of another worker.
        var second = self.book(1, jobs: [job(5), job(6)])
        _ = second.starts()
        let answers = [5, 6].map { LeaseAnswer(id: $0, isHostHeld: true) }
        check(second.take(answers, asked: second.leased), is: [])
        #expect(second.outbox.handBacks.map(\.id) == [6])
    }

    @Test("What a worker meets while it claims concerns the claimed jobs too")
    func lateTrouble() {
        var full = book(2, jobs: [job(1)])
        _ = full.starts()
        full.take(.failed(1, .unable("no space")))
        full.take([job(2), job(3)])
        check(full.starts(), is: [])
        #expect(full.outbox.handBacks.map(\.id) == [1, 2, 3])
        full.sent(full.outbox)
        #expect(full.leased.isEmpty, "nothing is kept from other workers")
        var held = book(2, jobs: [job(1)])
        _ = held.starts()
        held.take(.failed(1, .hold(seconds: 9, "status 429")))
        held.take([job(2), job(3, host: "i")])
        check(held.starts(), is: [.start(job(3, host: "i"))])
        #expect(held.outbox.handBacks.map(\.id) == [1, 2])
    }

    @Test("A host that a redirect named is held in place of the job's own, and the job waits for it")
    func redirectedHold() {
        var book = book(1, jobs: [job(1), job(2), job(3, host: "i")])
        _ = book.starts()
        book.take(.failed(1, .hold(seconds: 9, "status 429", host: "i")))
        #expect(book.outbox.holds == [Outbox.Hold(host: "i", seconds: 9, cause: "status 429")])
        let first = HandBack(id: 1, epoch: 1, cause: "status 429", awaits: "i")
        #expect(book.outbox.handBacks == [first, HandBack(id: 3, epoch: 1)])
        check(book.starts(), is: [.start(job(2))])
    }

    @Test("A job without room goes back alone, later each time, and as many as there are slots halt the worker")
    func misfits() {
        var book = book(2, jobs: [job(1), job(2), job(3)])
        _ = book.starts()
        book.take(.failed(1, .tooLarge("large")))
        #expect(book.obstacle == nil && book.outbox.handBacks == [HandBack(id: 1, epoch: 1, cause: "large", wait: 5)])
        #expect(book.outbox.notes == [WorkerLines.aside(1, "large")])
        check(book.starts(), is: [.start(job(3))])
        book.sent(book.outbox)
        book.take([job(1, epoch: 2)])
        book.take(.done(2, received: 1, result: nil))
        check(book.starts(), is: [.start(job(1, epoch: 2))])
        book.take(.failed(1, .tooLarge("large")))
        #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: 2, cause: "large", wait: 10)])
        #expect(book.outbox.notes.isEmpty && book.obstacle == nil)
        book.take([job(4), job(5)])
        book.take(.done(3, received: 1, result: nil))
        check(book.starts().count, is: 2)
        book.take(.failed(4, .tooLarge("large")))
        #expect(book.obstacle == nil)
        book.take(.failed(5, .tooLarge("larger")))
        #expect(book.obstacle == "larger")
        book.clearObstacle()
        #expect(book.claimCount == 3)
    }

    @Test("A job whose file another process has open goes back without an attempt, later each time")
    func inUse() {
        var book = book(1, jobs: [job(1)])
        for (index, wait) in [5.0, 10, 20, 40, 60, 60].enumerated() {
            let epoch = Int64(index + 1)
            if epoch > 1 { book.take([job(1, epoch: epoch)]) }
            _ = book.starts()
            book.take(.failed(1, .inUse("open")))
            #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: epoch, cause: "open", wait: wait)])
            #expect(book.outbox.notes == (epoch == 1 ? [WorkerLines.inUse(1, "open")] : []))
            #expect(book.outbox.failures.isEmpty && book.obstacle == nil)
            book.sent(book.outbox)
        }
        book.take([job(1, epoch: 7)])
        _ = book.starts()
        book.take(.failed(1, .again("reset")))
        book.sent(book.outbox)
        book.take([job(1, epoch: 8)])
        _ = book.starts()
        book.take(.failed(1, .inUse("open")))
        #expect(book.outbox.handBacks.map(\.wait) == [5])
    }

    @Test("A file that has filled the disk and left it again halts nobody")
    func filledDisk() {
        var book = book(2, jobs: [job(1), job(2)])
        _ = book.starts()
        book.take(.failed(2, .unable("disk full")))
        #expect(book.obstacle == "disk full")
        book.take(.failed(1, .tooLarge("disk full")))
        #expect(book.obstacle == "disk full")
        var freed = self.book(2, jobs: [job(1), job(2)])
        _ = freed.starts()
        freed.take(.failed(2, .unable("disk full")))
        freed.take(.failed(1, .tooLarge("disk full", hasFreed: true)))
        #expect(freed.obstacle == nil && freed.claimCount == 3)
    }

    @Test("Each hold of a host is said once")
    func holdNotes() {
        var notes = HoldNotes()
        let said = [("h", 0.0), ("h", 4.9), ("i", 4.9), ("h", 5.0), ("i", 9.0)].map { host, now in
            notes.note(host, seconds: 5, at: now)
        }
        check(said, is: [true, false, true, true, false])
    }

    @Test("A full disk stops this worker's claims and gives its ready jobs to others")
    func disk() {
        var book = book(1, jobs: [job(1), job(2)])
        _ = book.starts()
        book.take(.failed(1, .unable("no space")))
        #expect(book.outbox.handBacks.map(\.id) == [1, 2] && book.outbox.failures.isEmpty)
        #expect(book.claimCount == 0 && book.obstacle == "no space")
        book.sent(book.outbox)
        book.clearObstacle()
        #expect(book.claimCount == 2)
    }

    @Test("A stopping worker hands back what has not begun, lets the rest end, and parks it when told again")
    func stop() {
        var book = book(2, jobs: [job(1), job(2), job(3)])
        _ = book.starts()
        book.stop()
        #expect(book.outbox.handBacks.map(\.id) == [3] && book.claimCount == 0)
        book.take(.done(1, received: 1, result: nil))
        check(book.park(), is: [.stop(2)])
        check(book.park(), is: [])
        book.take(.stopped(2, received: nil))
        #expect(!book.isFinished)
        book.sent(book.outbox)
        #expect(book.isFinished)
    }

    @Test("Jobs that are claimed while the worker stops go straight back")
    func lateClaim() {
        var book = WorkerBook(slots: 1)
        book.stop()
        book.take([job(1)])
        check(book.starts(), is: [])
        #expect(book.outbox.handBacks.map(\.id) == [1])
    }

    @Test("A runner that asks hears that the job is still this worker's, or is stopped")
    func asking() {
        var book = book(2, jobs: [job(1), job(2)])
        _ = book.starts()
        #expect(!book.hasQuestions)
        book.take(.asks(1))
        #expect(book.hasQuestions)
        let answers = [LeaseAnswer(id: 1), LeaseAnswer(id: 2)]
        check(book.take(answers, asked: book.leased), is: [.finish(1)])
        #expect(!book.hasQuestions)
        check(book.take(answers, asked: book.leased), is: [], "it is told once")
        book.take(.asks(1))
        book.take(.asks(2))
        let paused = [LeaseAnswer(id: 2, wish: .pause)]
        check(book.take(paused, asked: book.leased), is: [.stop(1), .stop(2)])
        #expect(!book.hasQuestions && book.count(.abandoned) == 1)
        book.take(.asks(2))
        #expect(!book.hasQuestions, "a job that is parked places nothing")
    }
}

/// Random numbers that are the same for the same seed (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        let first = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }
}
