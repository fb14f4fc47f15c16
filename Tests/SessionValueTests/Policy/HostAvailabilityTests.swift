import Testing

@testable import SessionCore

@Suite("Whether a host is asked")
struct HostAvailabilityTests {
    private let ids = (1...4).map { TransferID(rawValue: UInt64($0)) }
    private let refused = HostOutage(.unreachable, .connectionRefused)
    private let silent = HostOutage(.silent, .stalled)
    private let offline = HostOutage(.noNetwork, .networkUnreachable)

    private func busy(_ wait: Int64?) -> HostOutage {
        HostOutage(.busy, .http, statusCode: 429, askedWait: wait)
    }

    /// A host that was found in trouble at time 0 by the first transfer.
    private func backingOff(_ trouble: HostOutage) -> HostAvailability {
        var host = HostAvailability()
        _ = host.failed(trouble, of: ids[0], now: 0, random: 1)
        return host
    }

    /// Lets the time of a hold pass, has a transfer probe, and has it fail; the length of the hold that follows.
    private func failProbe(
        _ host: inout HostAvailability, _ trouble: HostOutage, now: inout Int64, random: Double = 1
    ) -> (wait: Int64, charge: HostAvailability.Charge) {
        if case .backingOff(let until) = host.state { now = until }
        host.timePassed(now)
        host.granted(ids[1], now: now)
        let charge = host.failed(trouble, of: ids[1], now: now, random: random)
        guard case .backingOff(let until) = host.state else { return (-1, charge) }
        return (until - now, charge)
    }

    @Test("A refusal holds the host, one transfer probes, and its answer opens it")
    func probing() {
        var host = HostAvailability()
        #expect(host.admits && !host.isBackingOff)
        let first = host.failed(refused, of: ids[0], now: 10, random: 1)
        #expect(first == HostAvailability.Charge(isCounted: true, failures: 1, age: 0, offline: nil))
        #expect(host.state == .backingOff(until: 1_010) && !host.admits)
        // Those that were under way find nothing new, and lose no try.
        var late = host.failed(refused, of: ids[2], now: 500, random: 1)
        #expect(!late.isCounted)
        #expect(host.state == .backingOff(until: 1_010))
        host.timePassed(1_009)
        #expect(host.state == .backingOff(until: 1_010))
        host.timePassed(1_010)
        #expect(host.state == .due && host.admits)
        host.granted(ids[3], now: 1_020)
        #expect(host.isProbe(ids[3]) && !host.isProbe(ids[0]) && !host.admits)
        // Another one that fails late changes nothing.
        late = host.failed(refused, of: ids[1], now: 1_030, random: 1)
        #expect(!late.isCounted)
        #expect(host.isProbe(ids[3]))
        let opens = host.showed(.answered, by: ids[3])
        #expect(opens && host == HostAvailability())
    }

    @Test("The waits double up to half a minute, and half of each is left to chance")
    func waits() {
        var host = backingOff(refused)
        var now: Int64 = 0
        let waits = (0..<6).map { _ in failProbe(&host, refused, now: &now).wait }
        #expect(waits == [2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
        let shortest = failProbe(&host, refused, now: &now, random: 0).wait
        #expect(shortest == 15_000)
    }

    @Test("Each probe that fails counts for the host, from the first failure on")
    func charges() {
        var host = backingOff(refused)
        var now: Int64 = 0
        let charges = (0..<3).map { _ in failProbe(&host, refused, now: &now).charge }
        #expect(charges.map(\.failures) == [2, 3, 4])
        #expect(charges.map(\.age) == [1_000, 3_000, 7_000])
        #expect(charges.map(\.isCounted) == [true, true, true])
    }

    @Test("What a host asks for is waited for, and is none of the time that it is away")
    func retryAfter() {
        var host = backingOff(busy(3_600_000))
        #expect(host.state == .backingOff(until: 3_601_000))
        var now: Int64 = 0
        let next = failProbe(&host, busy(10_000), now: &now)
        #expect(next.wait == 12_000)
        #expect(next.charge == HostAvailability.Charge(isCounted: true, failures: 2, age: 0))
        // A later answer may ask for more, and never for less.
        var other = backingOff(busy(10_000))
        _ = other.failed(busy(60_000), of: ids[2], now: 100, random: 1)
        #expect(other.state == .backingOff(until: 60_100))
        _ = other.failed(busy(1_000), of: ids[2], now: 200, random: 1)
        #expect(other.state == .backingOff(until: 60_100))
    }

    @Test(
        "How much has to be seen before everybody asks again depends on the trouble",
        arguments: [
            (HostBackoff.Reason.unreachable, [true, true, true, true], [true, true, true, true]),
            (.noNetwork, [true, true, true, true], [true, true, true, true]),
            (.silent, [false, true, true, true], [false, true, true, true]),
            (.busy, [false, false, true, true], [false, false, false, true]),
        ] as [(HostBackoff.Reason, [Bool], [Bool])])
    func evidence(reason: HostBackoff.Reason, byProbe: [Bool], byAnother: [Bool]) {
        for (index, evidence) in [HostAvailability.Evidence.connected, .moving, .answered, .served].enumerated() {
            for (id, opens) in [(ids[1], byProbe[index]), (ids[2], byAnother[index])] {
                var host = backingOff(HostOutage(reason, .http))
                host.timePassed(1_000_000)
                host.granted(ids[1], now: 0)
                let hasOpened = host.showed(evidence, by: id)
                #expect(hasOpened == opens && (host.state == .open) == opens, "\(evidence) by \(id)")
            }
        }
    }

    @Test("A probe that goes without a result leaves its place to the next")
    func probeLeaves() {
        var host = backingOff(refused)
        host.timePassed(1_000)
        host.granted(ids[1], now: 1_000)
        host.left(ids[2], now: 1_000)
        #expect(host.isProbe(ids[1]))
        host.left(ids[1], now: 1_000)
        #expect(host.state == .due && host.admits)
        host.granted(ids[2], now: 1_001)
        #expect(host.isProbe(ids[2]))
    }

    @Test("A hold of more than a minute that the host asked for is tested by one transfer each minute")
    func longHold() {
        var host = backingOff(busy(3_600_000))
        #expect(host.nextChange == 60_000)
        host.timePassed(59_999)
        #expect(!host.admits)
        host.timePassed(60_000)
        #expect(host.state == .ajar(until: 3_601_000) && host.admits && host.isBackingOff)
        host.granted(ids[2], now: 60_001)
        #expect(host.isProbe(ids[2]) && !host.admits)
        // It was refused too: the next one is tested a minute later, and one that goes unanswered leaves its place.
        _ = host.failed(busy(3_600_000), of: ids[2], now: 60_100, random: 1)
        #expect(host.nextChange == 120_100)
        host.timePassed(120_100)
        host.granted(ids[3], now: 120_200)
        host.left(ids[3], now: 120_300)
        #expect(host.isBackingOff && host.admits)
        #expect(host.showed(.served, by: ids[3]) && host.state == .open)
        var short = backingOff(busy(50_000))
        short.timePassed(50_999)
        #expect(!short.admits)
    }

    @Test("A refusal is the transfer's own where its host has served another of late and refused no other since")
    func ownRefusal() {
        var board = HostBoard()
        func isOwn(_ id: TransferID, at now: Int64) -> Bool { board.isOwnRefusal("a", of: id, now: now) }
        #expect(!isOwn(ids[0], at: 0), "nothing was served")
        board.hasServed("a", now: 1_000)
        #expect(isOwn(ids[0], at: 2_000))
        #expect(isOwn(ids[0], at: 3_000), "the same one again")
        #expect(!isOwn(ids[1], at: 4_000), "a second one")
        let isOwnOfAnother = board.isOwnRefusal("b", of: ids[1], now: 4_000)
        #expect(!isOwnOfAnother, "another host")
        board.hasServed("a", now: 5_000)
        #expect(isOwn(ids[1], at: 6_000))
        #expect(!isOwn(ids[1], at: 35_000), "long ago")
    }

    @Test("Who is sent ahead by hand is the probe, also before its time")
    func sentAhead() {
        var host = backingOff(busy(60_000))
        host.granted(ids[2], now: 5)
        #expect(host.isProbe(ids[2]))
        host.granted(ids[3], now: 6)
        #expect(host.isProbe(ids[2]))
    }

    @Test("A host that was given up because there is no network stays so until somebody finds something else")
    func givenUpOffline() {
        var host = backingOff(offline)
        host.giveUp()
        let late = host.failed(offline, of: ids[1], now: 5_000, random: 1)
        #expect(host.state == .givenUp && late.offline == 5_000)
        _ = host.failed(refused, of: ids[1], now: 6_000, random: 1)
        let anew = host.failed(offline, of: ids[1], now: 7_000, random: 1)
        #expect(host.isBackingOff && anew.offline == 0)
    }

    @Test("Without a network nothing is counted, however often it is tried, and its return is a new beginning")
    func noNetwork() {
        var host = backingOff(offline)
        var now: Int64 = 0
        for _ in 0..<20 {
            let charge = failProbe(&host, offline, now: &now).charge
            #expect(charge == HostAvailability.Charge(isCounted: false, failures: 0, age: 0, offline: now))
        }
        host.networkChanged()
        #expect(host.state == .due)
        let next = failProbe(&host, refused, now: &now)
        #expect(next.charge == HostAvailability.Charge(isCounted: true, failures: 1, age: 0))
        #expect(next.wait == 1_000)
    }

    @Test("A network that is back does not make a host less busy")
    func networkAndBusy() {
        var host = backingOff(busy(5_000))
        host.networkChanged()
        #expect(host.state == .backingOff(until: 6_000))
        var open = HostAvailability()
        open.networkChanged()
        #expect(open == HostAvailability())
    }

    @Test("A host that was given up is asked by everybody, until it answers or some time has passed")
    func givenUp() {
        var host = backingOff(refused)
        host.giveUp()
        #expect(host.state == .givenUp && host.admits && !host.isBackingOff)
        let second = host.failed(refused, of: ids[2], now: 100, random: 1)
        let third = host.failed(silent, of: ids[3], now: 200, random: 1)
        #expect(second.failures == 2 && third.failures == 3 && host.state == .givenUp)
        var answering = host
        let opens = answering.showed(.answered, by: ids[1])
        #expect(opens && answering.state == .open)
        var later = host
        let renewed = later.failed(refused, of: ids[1], now: 200 + 120_001, random: 1)
        #expect(renewed.failures == 1 && later.isBackingOff)
        var disconnected = host
        let uncounted = disconnected.failed(offline, of: ids[1], now: 300, random: 1)
        #expect(!uncounted.isCounted && disconnected.isBackingOff)
        var open = HostAvailability()
        open.giveUp()
        #expect(open.state == .open)
    }

    @Test("A failure says something of its host, or nothing")
    func troubles() {
        func reason(
            _ code: SessionError.Code, _ status: Int? = nil, answered: Bool = false, asked: Int64? = nil,
            route: Bool = true
        ) -> HostBackoff.Reason? {
            let error = SessionError(code, "", statusCode: status)
            return HostOutage(error, isAnswered: answered, askedWait: asked) { route }?.reason
        }
        let away: [SessionError.Code] = [.unknownHost, .networkUnreachable, .timedOut]
        for code in away {
            #expect(reason(code) == .unreachable)
            #expect(reason(code, route: false) == .noNetwork)
        }
        // Somebody has refused, so there is a way.
        #expect(reason(.connectionRefused, route: false) == .unreachable)
        #expect(reason(.stalled) == .silent)
        #expect(reason(.stalled, answered: true) == nil)
        #expect(reason(.stalled, answered: true, route: false) == .noNetwork)
        #expect(reason(.connectionLost) == nil)
        #expect(reason(.connectionLost, answered: true, route: false) == .noNetwork)
        #expect(reason(.http, 429) == .busy)
        #expect(reason(.http, 503) == nil)
        #expect(reason(.http, 503, asked: 0) == .busy)
        #expect(reason(.http, 502, asked: 9) == nil)
        for code in SessionError.Code.allCases where ![.stalled, .connectionLost, .connectionRefused].contains(code) {
            if !away.contains(code) { #expect(reason(code, route: false) == nil, "\(code)") }
        }
    }
}

@Suite("Hosts in trouble")
struct HostBoardTests {
    private let ids = (1...3).map { TransferID(rawValue: UInt64($0)) }
    private let refused = HostOutage(.unreachable, .connectionRefused)

    @Test("Who waits is woken one by one, and all when the host answers")
    func waking() {
        var board = HostBoard()
        let isBackingOff = board.wait(ids[0], for: "a")
        #expect(!isBackingOff)
        let first = board.change("a") { $0.failed(refused, of: ids[0], now: 0, random: 1) }.change
        #expect(first.access == .none && first.until == 1_000 && first.woken.isEmpty)
        let wait = ids.map { board.wait($0, for: "a") }
        #expect(wait == [true, true, true])
        #expect(board.backoffs.map(\.askedAgainAt) == [1_000] && board.backoffs.map(\.origin) == ["a"])
        #expect(board.due(at: 999) == [] && board.due(at: 1_000) == ["a"] && board.deadline(now: 0) == 1_000)
        let due = board.change("a") { $0.timePassed(1_000) }.change
        #expect(due.access == .one && due.woken == [ids[0]] && due.waiting == [ids[1], ids[2]])
        _ = board.change("a") { $0.granted(ids[0], now: 1_000) }
        #expect(board.probes.map(\.id) == [ids[0]])
        let next = board.leave(ids[1], "a")
        #expect(next == nil, "a probe is under way")
        let answer = board.change("a") { $0.showed(.answered, by: ids[0]) }
        #expect(answer.result && answer.change.woken == [ids[2]] && answer.change.access == .all)
        #expect(board.isEmpty && board.backoffs.isEmpty && board.deadline(now: 0) == nil)
    }

    @Test("The transfer that was woken to ask is followed by the next one when it leaves")
    func nextProbe() {
        var board = HostBoard()
        _ = board.change("a") { $0.failed(refused, of: ids[0], now: 0, random: 1) }
        for id in ids { _ = board.wait(id, for: "a") }
        _ = board.change("a") { $0.timePassed(1_000) }
        let second = board.leave(ids[0], "a")
        let nobody = board.leave(ids[0], "a")
        #expect(second == ids[1] && nobody == nil)
        let third = board.leave(ids[1], "a")
        #expect(third == ids[2] && board.availability(of: "a")?.state == .due)
        _ = board.change("a") { $0.granted(ids[2], now: 1_000) }
        let last = board.leave(ids[2], "a")
        #expect(last == nil)
    }

    @Test("Giving a host up wakes everybody, and nobody waits for it any more")
    func givingUp() {
        var board = HostBoard()
        _ = board.change("a") { $0.failed(refused, of: ids[0], now: 0, random: 1) }
        let wait = ids.map { board.wait($0, for: "a") }
        #expect(wait == [true, true, true])
        let woken = board.change("a") { $0.giveUp() }.change.woken
        #expect(woken == ids)
        let isBackingOff = board.wait(ids[0], for: "a")
        #expect(!isBackingOff)
        #expect(board.backoffs.isEmpty && board.deadline(now: 0) == nil && board.unanswered.isEmpty)
    }

    @Test("A shut line lets nobody go in either lane, but who is sent ahead, and other lines do not wait for it")
    func shutLines() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 9)
        scheduler.setAccess("a", .none)
        scheduler.join(ids[0], host: "a")
        scheduler.join(ids[1], host: "a", lane: .requests)
        scheduler.join(ids[2], host: "b")
        #expect([scheduler.next(), scheduler.next()] == [ids[2], nil])
        scheduler.hasten(ids[1])
        #expect([scheduler.next(), scheduler.next()] == [ids[1], nil])
        scheduler.setAccess("a", .all)
        #expect(scheduler.next() == ids[0])
        scheduler.setAccess("a", .none)
        scheduler.release(host: "a")
        scheduler.release(host: "a", lane: .requests)
        #expect(scheduler.running == 1)
    }
}
