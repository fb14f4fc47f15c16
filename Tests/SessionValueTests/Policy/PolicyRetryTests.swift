import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Retry policy")
struct PolicyRetryTests {
    private func decide(
        _ attempts: Int, _ code: SessionError.Code = .connectionLost, status: Int? = nil, method: String = "GET",
        headers: HeaderFields = [:], body: BodySpecification = .none, random: Double = 0.5, retries: Int = 9,
        _ change: (inout RetryPolicy.Failure) -> Void = { _ in }
    ) -> RetryPolicy.Decision {
        var failure = RetryPolicy.Failure(
            attemptsWithoutProgress: attempts, error: SessionError(code, "", statusCode: status),
            request: TransferRequest(url: "http://h/", method: method, headers: headers, body: body))
        change(&failure)
        return RetryPolicy(maximumRetries: retries).decide(failure, random: random)
    }

    @Test(
        "The wait doubles from one second to one minute, with full jitter",
        arguments: [(1, 500), (2, 1_000), (3, 2_000), (6, 16_000), (7, 30_000), (8, 30_000), (9, 30_000)]
            as [(Int, Int64)])
    func backOff(attempts: Int, milliseconds: Int64) {
        #expect(decide(attempts) == .retry(afterMilliseconds: milliseconds))
        #expect(decide(attempts, random: 0) == .retry(afterMilliseconds: 0))
    }

    @Test(
        "Of five hundred that fail at one moment no second has more than a fifth, however often they have failed",
        arguments: [0, 1, 2, 5], [0.0, 0.5, 1.0])
    func spread(attempts: Int, chance: Double) {
        var spacing = RetrySpacing()
        var random = SeededGenerator(seed: 20)
        var seconds: [Int64: Int] = [:]
        for _ in 0..<500 {
            // Also where chance has it that all wait equally long.
            let drawn = chance == 0.5 ? Double.random(in: 0..<1, using: &random) : chance
            guard case .retry(let wait) = decide(attempts, random: drawn) else { continue }
            seconds[(wait + spacing.takeSlot(at: "h", now: 0)) / 1_000, default: 0] += 1
        }
        #expect(seconds.values.reduce(0, +) == 500)
        #expect(seconds.values.allSatisfy { $0 <= 100 }, "\(seconds.sorted { $0.key < $1.key })")
    }

    @Test("Few that fail, at several hosts or one after another, wait no longer for that")
    func places() {
        var spacing = RetrySpacing()
        #expect((0..<5).map { _ in spacing.takeSlot(at: "h", now: 100) } == [0, 15, 30, 45, 60])
        #expect(spacing.takeSlot(at: "i", now: 100) == 0)
        #expect(spacing.takeSlot(at: "h", now: 170) == 5 && spacing.takeSlot(at: "h", now: 1_000) == 0)
        for host in 0..<100 { #expect(spacing.takeSlot(at: "\(host)", now: 900) == 0) }
        #expect(spacing.takeSlot(at: "h", now: 1_010) == 5, "what is to come is not forgotten")
    }

    @Test("After progress the next attempt follows within a tenth of a second")
    func progress() {
        #expect(decide(0, random: 0.99) == .retry(afterMilliseconds: 99))
    }

    @Test("The tries are counted, and the server's wish is kept to")
    func limits() {
        #expect(decide(10) == .giveUp)
        #expect(decide(9) != .giveUp)
        let counts = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (5, 5), (5, 6)]
        let isTriedAgain = counts.map { decide($0.1, retries: $0.0) != .giveUp }
        #expect(isTriedAgain == [false, false, true, true, false, true, false], "retries, failed attempts in a row")
        let asked = decide(1, .http, status: 503) { $0.retryAfterMilliseconds = 2_000 }
        #expect(asked == .retry(afterMilliseconds: 2_500))
    }

    @Test("Every code is either worth another try or not")
    func codes() {
        let transient: Set<SessionError.Code> = [
            .unknownHost, .connectionRefused, .networkUnreachable, .connectionLost, .timedOut, .stalled, .truncated,
            .tls,
        ]
        for code in SessionError.Code.allCases {
            #expect((decide(1, code) != .giveUp) == transient.contains(code), "\(code)")
        }
        for status in [408, 425, 429, 500, 503, 599] { #expect(decide(1, .http, status: status) != .giveUp) }
        for status in [400, 403, 404, 410, 416] { #expect(decide(1, .http, status: status) == .giveUp) }
    }

    @Test("A request is repeated only when that is safe and its body can be read again")
    func safety() {
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"] {
            #expect(decide(1, method: method) != .giveUp, "\(method)")
        }
        for method in ["POST", "PATCH", "CONNECT", "get"] { #expect(decide(1, method: method) == .giveUp, "\(method)") }
        #expect(decide(1, method: "POST", headers: ["idempotency-key": "1"]) != .giveUp)
        #expect(decide(1, method: "POST") { $0.nothingWasSent = true } != .giveUp)
        #expect(decide(1, method: "PUT", body: .descriptor(3)) == .giveUp)
        #expect(decide(1, method: "PUT", body: .file(path: "/x")) != .giveUp)
    }

    @Test("A server that is away is waited for as long as patience lasts, and not without any retry")
    func patience() {
        func decide(_ attempts: Int, outage: Int64?, status: Int? = nil, age: Int64 = 0, retries: Int = 2) -> Bool {
            let error = SessionError(status == nil ? .connectionRefused : .http, "", statusCode: status)
            var failure = RetryPolicy.Failure(
                attemptsWithoutProgress: attempts, error: error, request: TransferRequest(url: "http://h/"))
            (failure.outage, failure.age, failure.wasReached) = (outage, age, true)
            var policy = RetryPolicy(maximumRetries: retries)
            policy.outagePatience = 300_000
            return policy.decide(failure, random: 0.5) != .giveUp
        }
        #expect(decide(3, outage: 299_999) && decide(2, outage: 300_000) && !decide(3, outage: 300_000))
        #expect(!decide(3, outage: nil) && !decide(1, outage: 0, retries: 0))
        for status in 502...504 { #expect(decide(9, outage: nil, status: status, age: 299_000)) }
        #expect(!decide(9, outage: nil, status: 503, age: 300_000))
        for status in [500, 429, 408] { #expect(!decide(3, outage: nil, status: status)) }
    }

    @Test("A network that is gone is waited for without end, unless patience with it has one")
    func network() {
        func decide(offline: Int64?, patience: Int64?) -> Bool {
            var failure = RetryPolicy.Failure(
                attemptsWithoutProgress: 0, error: SessionError(.networkUnreachable, ""),
                request: TransferRequest(url: "http://h/"))
            failure.offline = offline
            var policy = RetryPolicy(maximumRetries: 1)
            policy.networkPatience = patience
            return policy.decide(failure, random: 0.5) != .giveUp
        }
        #expect(decide(offline: 1 << 40, patience: nil) && decide(offline: nil, patience: 0))
        #expect(decide(offline: 9_999, patience: 10_000) && !decide(offline: 10_000, patience: 10_000))
    }

    @Test("A descriptor of this process is waited for, seconds at a time and for minutes, where there are retries")
    func descriptors() {
        func decide(age: Int64, retries: Int = 1, lacks: Bool = true) -> RetryPolicy.Decision {
            var failure = RetryPolicy.Failure(
                attemptsWithoutProgress: 99, error: SessionError(.storage, ""),
                request: TransferRequest(url: "http://h/"))
            (failure.age, failure.lacksDescriptor) = (age, lacks)
            return RetryPolicy(maximumRetries: retries).decide(failure, random: 0.5)
        }
        #expect(decide(age: 599_999) == .retry(afterMilliseconds: 2_500))
        #expect(decide(age: 600_000) == .giveUp && decide(age: 0, retries: 0) == .giveUp)
        #expect(decide(age: 0, lacks: false) == .giveUp)
    }

    @Test("No try begins after the limit of time, whatever it is for, and the last one begins then")
    func timeLimit() {
        func decide(age: Int64, retryAfter: Int64? = nil) -> RetryPolicy.Decision {
            var failure = RetryPolicy.Failure(
                attemptsWithoutProgress: 1, error: SessionError(.connectionRefused, ""),
                request: TransferRequest(url: "http://h/"))
            (failure.age, failure.retryAfterMilliseconds, failure.outage) = (age, retryAfter, 0)
            var policy = RetryPolicy(maximumRetries: 9)
            (policy.outagePatience, policy.timeLimit) = (300_000, 10_000)
            return policy.decide(failure, random: 0.5)
        }
        #expect(decide(age: 0) == .retry(afterMilliseconds: 500))
        #expect(decide(age: 9_500) == .retry(afterMilliseconds: 500))
        #expect(decide(age: 9_501) == .retry(afterMilliseconds: 499))
        #expect(decide(age: 10_000) == .giveUp)
        #expect(decide(age: 0, retryAfter: 9_000) == .retry(afterMilliseconds: 9_500))
        #expect(decide(age: 500, retryAfter: 9_500) == .retry(afterMilliseconds: 9_500))
        #expect(decide(age: 501, retryAfter: 9_500) == .giveUp && decide(age: 0, retryAfter: 3_600_000) == .giveUp)
    }

    @Test(
        "A server that was never reached gets three tries, one that is away is waited for, and a chosen number counts",
        arguments: [
            (.unknownHost, false, false), (.connectionRefused, false, false), (.networkUnreachable, false, false),
            (.unknownHost, true, true), (.connectionRefused, true, true), (.networkUnreachable, true, true),
            (.timedOut, false, true),
        ] as [(SessionError.Code, Bool, Bool)])
    func firstContact(_ code: SessionError.Code, wasReached: Bool, isWaitedFor: Bool) {
        func tries(patience: Int64) -> Int? {
            var policy = RetryPolicy(maximumRetries: 5)
            policy.outagePatience = patience
            return (1...9).first { attempts in
                var failure = RetryPolicy.Failure(
                    attemptsWithoutProgress: attempts, error: SessionError(code, "away"),
                    request: TransferRequest(url: "http://h/f"))
                (failure.outage, failure.wasReached) = (60_000, wasReached)
                return policy.decide(failure, random: 0.5) == .giveUp
            }
        }
        #expect(tries(patience: 600_000) == (isWaitedFor ? nil : 3))
        #expect(tries(patience: 0) == 6)
    }
}
