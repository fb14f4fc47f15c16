import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Servers that go away or ask to be left alone.
@Suite("Outages", .timeLimit(.minutes(2)))
struct EngineOutageTests {
    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    @Test("A server that is away is asked by one transfer at a time, and all go on when it is back")
    func probing() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (1, 300) }
        server.stop(reachedBy: harness)
        let ids = (0..<8).map { number in
            server.setRoute("/\(number)", .respond(.text("\(number)")))
            return harness.add(TransferRequest(url: server.url("/\(number)")))
        }
        let began = ContinuousClock.now
        harness.resumeTogether(ids)
        for id in ids { try #require(harness.waitForPhase(.retrying, id)) }
        // All eight were refused together; from here on one asks after the other, beyond the one retry each has.
        try #require(harness.waitForRetries(8 + 1))
        // One more a second, where this thread looks late.
        let seconds = Int((ContinuousClock.now - began) / .seconds(1))
        #expect(harness.retries(of: ids) <= 8 + 2 + seconds)
        try server.start()
        for (number, id) in ids.enumerated() {
            let outcome = try #require(harness.outcome(of: id, resuming: false))
            #expect(outcome.error == nil && String(decoding: outcome.body, as: UTF8.self) == "\(number)")
        }
        #expect(server.requestCount == 1 + 8)
    }

    @Test("A server that was never reached gets three tries of each transfer, whatever patience there is")
    func firstContact() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (5, 300) }
        server.stop()
        let ids = (0..<4).map { harness.add(TransferRequest(url: server.url("/\($0)"))) }
        for id in ids { harness.resume(id) }
        for id in ids {
            let outcome = try #require(harness.outcome(of: id, resuming: false))
            #expect(outcome.error?.code == .connectionRefused)
            #expect(harness.retries(of: [id]) <= 2)
        }
    }

    @Test("A transfer that is paused and resumed in the wait that its server has asked for says when it goes on")
    func pausedInWait() throws {
        let harness = try EngineHarness()
        server.setRoute("/a", .respond(ScriptedResponse(503, headers: ["Retry-After": "30"])))
        let id = harness.add(TransferRequest(url: server.url("/a")))
        harness.resume(id)
        try #require(harness.waitForPhase(.retrying, id))
        let first = try #require(harness.status(id).retryAt)
        try #require(harness.suspendAndWait(id))
        #expect(harness.status(id).retryAt == nil)
        harness.resume(id)
        harness.waitForLoop()
        let status = harness.status(id)
        #expect(status.phase == .retrying && status.retryCause == .http)
        #expect(status.retryAt.map { abs($0 - first) < 1_000 } == true)
        #expect(server.requestCount == 1)
    }

    @Test("A proxy that is away keeps nobody waiting who goes another way to the same server, and is what is named")
    func proxyAway() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (9, 300) }
        server.setRoute("/*", .respond(.text("done")))
        let proxy = LoopbackServer()
        try proxy.start()
        let authority = "127.0.0.1:\(proxy.port)"
        let throughProxy = try {
            var request = TransferRequest(url: server.url("/a"))
            request.options = RequestOptions()
            request.options?.proxies = ProxySettings(try Proxy(authority))
            return request
        }()
        proxy.setRoute("/a", .respond(.text("through")))
        #expect(harness.outcome(of: harness.add(throughProxy))?.error == nil)
        proxy.stop()
        let proxied = (0..<2).map { _ in harness.add(throughProxy) }
        harness.resumeTogether(proxied)
        for id in proxied { try #require(harness.waitForPhase(.retrying, id)) }
        for _ in 0..<3 {
            let outcome = harness.outcome(of: harness.add(TransferRequest(url: server.url("/b"))))
            #expect(outcome?.head?.statusCode == 200)
        }
        #expect(proxied.allSatisfy { harness.outcomeIfAny($0) == nil })
        let backoff = try #require(harness.hostBackoffs.first?.first)
        #expect(backoff.unreached == "http://" + authority && backoff.route == "http://" + authority)
        #expect(backoff.origin == "http://127.0.0.1:\(server.port)" && backoff.reason == .unreachable)
        // Who shares the trouble shares the waiting, and what others get says nothing of it.
        #expect(harness.hostBackoffs.allSatisfy { $0.count == 1 })
        try proxy.start()
        for id in proxied {
            let outcome = harness.outcome(of: id, resuming: false)
            #expect(outcome.map { String(decoding: $0.body, as: UTF8.self) } == "through")
        }
    }

    @Test(
        "A way is what is connected to in a server's stead, and from where",
        arguments: [
            ("", "http://h/", nil), ("proxy", "http://h/", "http://p:3128"), ("proxy", "http://free/", nil),
            ("place", "http://h/", "127.0.0.1:81"), ("place", "http://other/", nil), ("socket", "http://h/", "/run/s"),
            ("family", "http://h/", "by IPv6"), ("address", "http://h/", "socks5h://p:1080"),
        ] as [(String, String, String?)])
    func routes(kind: String, url: String, route: String?) throws {
        var options = RequestOptions()
        switch kind {
        case "proxy": options.proxies = ProxySettings(try Proxy("u:secret@p:3128"), exceptions: "free")
        case "place":
            options.connections = [ConnectionEndpoint(host: "h", port: 80, target: "127.0.0.1", targetPort: 81)]
        case "socket": options.unixSocket = "/run/s"
        case "family": options.addressFamily = .ipv6
        case "address":
            // A proxy that looks names up itself does not hear of it.
            options.connections = [ConnectionEndpoint(host: "h", port: 80, target: "127.0.0.1", isAddressOnly: true)]
            options.proxies = ProxySettings(try Proxy("socks5h://p:1080"))
        default: break
        }
        #expect(options.route(to: url) == route)
        #expect(RequestOptions().route(to: url, in: options) == route)
        let key = RequestRoute(to: url, options: options).key
        #expect(RequestRoute(key: key).via == route && RequestRoute(key: key).key == key)
    }

    @Test(
        "A thousand servers that send nothing lose their places, and who comes last gets one", .timeLimit(.minutes(1)))
    func thousandSilent() throws {
        let port = Int(server.port)
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.stallTimeout) = (0, 0.2)
            ($0.maximumConcurrentTransfers, $0.maximumConcurrentTransfersPerHost) = (400, 400)
            $0.options = RequestOptions()
            $0.options?.answerTimeout = 0.2
            $0.options?.connections = [ConnectionEndpoint(host: "", port: nil, target: "127.0.0.1", targetPort: port)]
        }
        let gate = try server.gate(named: "never")
        server.setRoute("/slow", .respond(.text("")).waiting(for: gate))
        server.setRoute("/last", .respond(.text("last")))
        let slow = (0..<1000).map { harness.add(TransferRequest(url: "http://h\($0).invalid/slow")) }
        for id in slow { harness.resume(id) }
        // The server has a thousand threads to wake before this one's.
        var request = TransferRequest(url: "http://last.invalid/last")
        request.options = RequestOptions()
        request.options?.answerTimeout = 30
        let last = harness.outcome(of: harness.add(request))
        #expect(last?.head?.statusCode == 200)
        let codes = Set(slow.map { harness.outcome(of: $0, resuming: false)?.error?.code })
        #expect(codes == [.stalled])
        gate.release()
    }

    @Test(
        "Each transfer makes the tries that it was promised, neither fewer for those of others nor more",
        arguments: [(2, 2, 4), (12, 1, 4), (6, 2, 5)])
    func givingUp(count: Int, retries: Int, slots: Int) throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.maximumConcurrentTransfers) = (retries, slots)
        }
        server.stop()
        let ids = (0..<count).map { _ in harness.add(TransferRequest(url: server.url("/a"))) }
        harness.resumeTogether(ids)
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error?.code == .connectionRefused) }
        #expect(ids.map { harness.events(of: $0).count(where: \.isRetry) } == ids.map { _ in retries })
    }

    @Test("A limit of time ends every try, also those that wait")
    func timeLimit() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.outagePatience, $0.maximumRetryTime) = (100, 300, 2)
        }
        server.stop()
        let ids = (0..<3).map { _ in harness.add(TransferRequest(url: server.url("/a"))) }
        for id in ids { harness.resume(id) }
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error?.code == .connectionRefused) }
    }

    @Test("A server that refuses a burst gets half as many at once, and more again with every round of answers")
    func fewerAtOnce() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.maximumConcurrentTransfers, $0.maximumConcurrentTransfersPerHost) = (9, 8, 8)
        }
        // The burst is refused once all of it is there.
        let (count, burst) = (Locked(0), try server.gate(named: "burst"))
        let refusal = Behaviour.respond(ScriptedResponse(429)).waiting(for: burst)
        server.setRoute(
            "/*",
            .choosing { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number <= 8 ? refusal : .respond(.text("done"))
            })
        let ids = (0..<40).map { harness.add(TransferRequest(url: server.url("/\($0)"))) }
        for id in ids { harness.resume(id) }
        try #require(burst.waitForArrivals(8))
        burst.release()
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
        let limits = harness.limitedHosts
        #expect(
            limits.first?.map(\.transfers) == [4] && limits.first?.first?.origin.hasSuffix(":\(server.port)") == true)
        #expect(limits.map { $0.first?.transfers ?? 8 } == [4, 5, 6, 7, 8])
    }

    @Test("A server that asks to be left alone is left alone by everybody, and then asked by one")
    func busy() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.maximumConcurrentTransfers) = (9, 3) }
        // The server is busy until a probe has asked it, a second after the first refusal.
        let (first, isBusy) = (Locked<ContinuousClock.Instant?>(nil), Locked(true))
        server.setRoute("/*") { _ in
            guard isBusy.withLock({ $0 }) else { return .text("done") }
            let began = first.withLock { first in
                first = first ?? ContinuousClock.now
                return first
            }
            if let began, ContinuousClock.now - began > .milliseconds(900) { isBusy.withLock { $0 = false } }
            return ScriptedResponse(429, headers: ["Retry-After": "1"])
        }
        let ids = (0..<9).map { number in
            harness.add(
                TransferRequest(
                    url: server.url("/\(number)"), method: number % 3 == 0 ? "PUT" : "GET", body: .bytes([1])),
                kind: number % 3 == 0 ? .upload : .data)
        }
        harness.resumeTogether(ids)
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.head?.statusCode == 200) }
        // Three were under way, and a probe has followed.
        #expect(server.waitForFinishedRequests(count: server.requestCount))
        let refusals = server.requests.count { $0.status == 429 }
        #expect(refusals <= 5 && server.requestCount == refusals + 9, "\(refusals) of \(server.requestCount)")
    }

    @Test("A host that refuses holds nobody up who wants another")
    func others() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.outagePatience, $0.maximumConcurrentTransfers) = (1, 300, 2)
        }
        let away = LoopbackServer()
        try away.start()
        away.stop(reachedBy: harness)
        let waiting = (0..<4).map { _ in harness.add(TransferRequest(url: away.url("/a"))) }
        for id in waiting { harness.resume(id) }
        server.setRoute("/a", .respond(.text("a")))
        for _ in 0..<4 {
            let id = harness.add(TransferRequest(url: server.url("/a")))
            #expect(harness.outcome(of: id)?.error == nil)
        }
        for id in waiting { #expect(harness.outcomeIfAny(id) == nil) }
    }

    @Test(
        "A probe that is cancelled leaves its place to another, and so does one that is paused",
        arguments: [true, false])
    func probeLeaves(isCancelled: Bool) throws {
        let harness = try EngineHarness { $0.maximumRetries = 9 }
        let gate = try server.gate(named: "probe")
        let busy = ScriptedResponse(429, headers: ["Retry-After": "0"])
        for path in ["/0", "/1"] {
            let stands = Behaviour.respond(.text("done")).waiting(for: gate)
            server.setRoute(path, .sequence([.respond(busy), stands, .respond(.text("done"))]))
        }
        let ids = (0..<2).map { harness.add(TransferRequest(url: server.url("/\($0)"))) }
        for id in ids { harness.resume(id) }
        try #require(gate.waitForArrivals())
        let probe = server.requests(for: "/0").count == 2 ? ids[0] : ids[1]
        let other = probe == ids[0] ? ids[1] : ids[0]
        if isCancelled { harness.intent(.cancelled(keepsPart: true), probe) } else { harness.suspend(probe) }
        try #require(gate.waitForArrivals(2))
        gate.release()
        #expect(harness.outcome(of: other, resuming: false)?.head?.statusCode == 200)
        if isCancelled {
            #expect(harness.outcome(of: probe, resuming: false)?.error?.code == .cancelled)
        } else {
            #expect(harness.outcome(of: probe)?.head?.statusCode == 200)
        }
    }

    @Test("A transfer that waits for its host is paused, resumed and cancelled like any other")
    func waiting() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (1, 300) }
        server.setRoute("/a", .respond(.text("a")))
        server.stop(reachedBy: harness)
        let ids = (0..<3).map { _ in harness.add(TransferRequest(url: server.url("/a"))) }
        harness.resumeTogether(ids)
        for id in ids { try #require(harness.waitForPhase(.retrying, id)) }
        #expect(harness.suspendAndWait(ids[0]))
        #expect(harness.suspendAndWait(ids[1]))
        harness.intent(.cancelled(keepsPart: true), ids[2])
        #expect(harness.outcome(of: ids[2], resuming: false)?.error?.code == .cancelled)
        try server.start()
        // Whom a person sends asks at once, and what is learned counts for the other.
        #expect(harness.outcome(of: ids[0])?.error == nil)
        #expect(harness.outcome(of: ids[1])?.error == nil)
    }

    @Test("A session that is left during a hold ends")
    func leaving() throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.outagePatience) = (1, 300) }
        server.setRoute("/a", .respond(ScriptedResponse(429, headers: ["Retry-After": "3600"])))
        let ids = (0..<3).map { _ in harness.add(TransferRequest(url: server.url("/a"))) }
        for id in ids { harness.resume(id) }
        try #require(harness.waitForPhase(.retrying, ids[0]))
        harness.engine.submit(.invalidate(cancelling: true))
        #expect(harness.waitForInvalidation())
        for id in ids { #expect(harness.outcomeIfAny(id)?.error?.code == .cancelled) }
    }

    @Test("A file that is refused for an hour holds itself, not others that its host serves", arguments: [1, 2])
    func oneFile(atOnce: Int) throws {
        let harness = try EngineHarness { ($0.maximumRetries, $0.maximumConcurrentTransfers) = (3, atOnce) }
        let gate = try server.gate(named: "beside")
        server.setRoute("/tape", .respond(ScriptedResponse(503, headers: ["Retry-After": "3600"])))
        server.setRoute("/beside", Behaviour.respond(.text("a")).waiting(for: gate))
        server.setRoute("/file", .respond(.text("b")))
        // One at a time the host has served another before; two at a time it serves one while the first is refused.
        let beside = harness.add(TransferRequest(url: server.url(atOnce == 1 ? "/file" : "/beside")))
        let tape = harness.add(TransferRequest(url: server.url("/tape")))
        let files = (0..<10).map { _ in harness.add(TransferRequest(url: server.url("/file"))) }
        for id in [beside, tape] + files { harness.resume(id) }
        try #require(harness.waitForPhase(.retrying, tape))
        gate.release()
        for id in [beside] + files { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
        #expect(server.requests(for: "/tape").count == 1)
        #expect(harness.status(tape).phase == .retrying)
    }

    @Test("Twenty downloads and five uploads whose server is away for a while all end right")
    func story() throws {
        let harness = try EngineHarness {
            ($0.maximumRetries, $0.outagePatience, $0.maximumConcurrentTransfers) = (1, 300, 6)
            $0.options = RequestOptions()
            $0.options?.repeatsUnansweredBodies = true
        }
        let size = 300_000
        let gate = try server.gate(named: "away")
        let downloads = (0..<20).map { number in
            let file = Behaviour.file(seed: UInt64(number), count: Int64(size))
            // The first six stand still, so that they are under way when the server goes.
            server.setRoute("/\(number)", file.limited(to: 600_000).stalling(after: 150_000, until: gate))
            return harness.download(server.url("/\(number)"), name: .fixed("\(number)"))
        }
        server.setRoute("/up/*", Behaviour.uploadSink())
        let content = DeterministicContent(seed: 99, count: Int64(size)).bytes
        let uploads = (0..<5).map { number in
            let request = TransferRequest(url: server.url("/up/\(number)"), method: "PUT", body: .bytes(content))
            return harness.add(request, kind: .upload)
        }
        let all = downloads + uploads
        // Where the loop learns of a resumed one before of an earlier one, that one goes first.
        for id in downloads.prefix(6) { harness.resume(id) }
        for id in downloads.prefix(6) {
            try #require(
                harness.waitForReceived(50_000, id),
                "\(harness.events(of: id)), \(server.requests.map { ($0.path, $0.outcome) })")
        }
        for id in all.dropFirst(6) { harness.resume(id) }
        server.stop()
        // Until the server is known to be away, and a probe has found so.
        try #require(harness.waitForRetries(7))
        gate.release()
        try server.start()
        for id in all { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
        for number in 0..<20 {
            let bytes = DeterministicContent(seed: UInt64(number), count: Int64(size)).bytes
            #expect(harness.folder.bytes(of: "\(number)") == bytes)
        }
        for number in 0..<5 {
            let last = server.requests(for: "/up/\(number)").last
            #expect(last?.bodyChecksum == BodyChecksum(of: content))
        }
    }
}

extension EngineHarness {
    /// The tries of some transfers that have failed and that another one follows.
    func retries(of ids: [TransferID]) -> Int { ids.flatMap { events(of: $0) }.count(where: \.isRetry) }

    /// Waits until so many tries have failed.
    func waitForRetries(_ count: Int) -> Bool { waitForEvents { $0.count(where: \.isRetry) >= count } }
}

extension EngineEvent {
    /// Whether it tells of a failed try that another one follows.
    fileprivate var isRetry: Bool { if case .retrying = self { true } else { false } }
}
