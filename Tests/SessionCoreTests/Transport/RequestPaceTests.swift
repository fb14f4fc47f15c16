import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

@Suite("The pace of requests", .timeLimit(.minutes(1)))
struct RequestPaceTests {
    private func rate(_ text: String) -> RequestRate? { RequestRate(text) }

    private func id(_ number: Int) -> TransferID { TransferID(rawValue: UInt64(number)) }

    @Test(
        "A rate is a number and a unit of time, and anything else is none",
        arguments: [
            ("5/s", 200_000), ("30/m", 2_000_000), ("100/h", 36_000_000), ("1/d", 86_400_000_000), ("3/S", 333_334),
            ("10000/s", 100), ("0/s", nil), ("10001/s", nil), ("5", nil), ("5/", nil), ("/s", nil), ("5/x", nil),
            ("5/s/m", nil), ("-5/s", nil), ("1.5/s", nil), ("5 /s", nil), ("5/sec", nil), ("", nil), ("٥/s", nil),
        ] as [(String, Int64?)])
    func texts(text: String, interval: Int64?) {
        #expect(RequestRate(text)?.interval == interval)
    }

    @Test(
        "The next request begins when the interval has passed, whatever was idle before",
        arguments: [("5/s", [0, 205, 410, 615]), ("30/m", [0, 2_005, 4_010]), ("3/s", [0, 339, 678])])
    func spacing(text: String, moments: [Int64]) {
        var pace = RequestPace(RequestRates(all: rate(text)))
        let start: Int64 = 5_000
        for (number, moment) in moments.enumerated() {
            let now = start + moment
            if moment > 0 {
                #expect(!pace.mayBegin(at: now - 1))
                #expect(pace.nextMoment(after: now - 1) == now)
            }
            #expect(pace.mayBegin(at: now) && pace.nextMoment(after: now) == nil)
            #expect(pace.grant(id(number), to: "a", at: now) == false)
        }
    }

    @Test("A high rate is met although the clock counts milliseconds")
    func highRate() {
        var pace = RequestPace(RequestRates(all: rate("2000/s")))
        var count = 0
        for now in 1_000..<2_000 as Range<Int64> {
            while pace.mayBegin(at: now) {
                _ = pace.grant(id(count), to: "a", at: now)
                count += 1
            }
        }
        #expect((2_000...2_041).contains(count), "\(count)")
    }

    @Test("An origin rests for its interval, and others do not")
    func perHost() {
        var pace = RequestPace(RequestRates(perHost: rate("2/s")))
        #expect(pace.grant(id(1), to: "a", at: 1_000) == true)
        #expect(pace.mayBegin(at: 1_000) && pace.mayBegin(to: "b", at: 1_000) && !pace.mayBegin(to: "a", at: 1_504))
        #expect(pace.grant(id(2), to: "b", at: 1_100) == true)
        #expect(pace.nextRested(at: 1_504) == nil)
        #expect(pace.nextMoment(after: 1_504) == 1_505)
        #expect(pace.nextRested(at: 1_505) == "a")
        #expect(pace.nextRested(at: 1_505) == nil)
        #expect(pace.nextMoment(after: 1_505) == 1_605)
        #expect(pace.nextRested(at: 9_000) == "b")
        #expect(pace.nextMoment(after: 9_000) == nil)
    }

    @Test("A request without a slot is counted, the one of a slot only once")
    func withoutSlot() {
        var pace = RequestPace(RequestRates(perHost: rate("2/s")))
        #expect(pace.grant(id(1), to: "a", at: 1_000) == true)
        #expect(pace.begin(id(1), to: "a", at: 1_010) == false)
        #expect(pace.mayBegin(to: "a", at: 1_505))
        // The next hop of a redirect: it goes at once, and the origin rests for one interval more.
        #expect(pace.begin(id(1), to: "a", at: 1_020) == false)
        #expect(pace.nextRested(at: 1_505) == nil)
        #expect(!pace.mayBegin(to: "a", at: 2_009))
        #expect(pace.nextRested(at: 2_010) == "a")
        #expect(pace.begin(id(1), to: "b", at: 1_030) == true)
    }

    @Test("Origins that are free again are forgotten, and no rate limits nothing")
    func manyOrigins() {
        var pace = RequestPace(RequestRates(perHost: rate("1/s")))
        for number in 0..<1_000 {
            let now = Int64(number) * 2_000
            #expect(pace.grant(id(number), to: "\(number)", at: now) == true)
            #expect(pace.nextRested(at: now + 1_005) == "\(number)")
        }
        #expect(!RequestPace(RequestRates()).isActive)
        #expect(RequestPace(RequestRates()).mayBegin(at: 0))
    }

    @Test("Transfers of a resting origin wait on every route to it, others and hastened ones do not")
    func scheduler() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 9)
        scheduler.join(id(1), host: "a")
        scheduler.join(id(2), host: RequestRoute.key("a", "proxy"))
        scheduler.join(id(3), host: "b")
        scheduler.setResting("a", true)
        scheduler.join(id(4), host: "a")
        #expect(scheduler.next() == id(3))
        #expect(scheduler.next() == nil)
        scheduler.hasten(id(4))
        #expect(scheduler.next(hastenedOnly: true) == id(4))
        #expect(scheduler.next() == nil)
        scheduler.setResting("a", false)
        #expect(scheduler.next(hastenedOnly: true) == nil)
        #expect(scheduler.next() == id(1))
        #expect(scheduler.next() == id(2))
    }

    @Test("A server that takes so many requests a second refuses hardly one, retries included")
    func refusingServer() throws {
        let server = LoopbackServer()
        try server.start()
        let refusal = ScriptedResponse.text("Slow down.\n", status: 429)
        let allowed = Behaviour.file(seed: 1, count: 100)
        // It takes ten more in a second, for those that a busy machine has held back for half of one and then brings at once.
        server.setRoute("/file", .atRate(30, allowed, else: refusal))
        let harness = try EngineHarness {
            $0.requestRates = RequestRates(perHost: RequestRate("20/s"))
            $0.maximumRetries = 5
        }
        let start = ContinuousClock.now
        let ids = (0..<40).map { harness.download(server.url("/file"), name: .fixed("\($0)")) }
        for id in ids { harness.resume(id) }
        for id in ids { #expect(harness.outcome(of: id).map { $0.error == nil } ?? false) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(seconds > 1.9, "\(seconds)")
        #expect(server.requests(for: "/file").count <= 43)
    }
}
