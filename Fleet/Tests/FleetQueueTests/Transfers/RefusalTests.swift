import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue

/// Workers with downloads, of which one meets a refusal.
@Suite("Workers and a host that refuses", needsServer, .timeLimit(.minutes(10)))
struct RefusalTests {
    private static let files = 60

    /// Adds files of a server that take a fifth of a second each, the tenth of which is refused once.
    private func add(_ server: LoopbackServer, to queue: FleetQueue, folder: String, refusal: ScriptedResponse?) throws
    {
        try server.start()
        for number in 0..<Self.files {
            let file = Behaviour.file(seed: UInt64(number), count: 10_240).limited(to: 50_000)
            let isRefused = number == 10
            server.setRoute(
                "/f\(number)", isRefused ? .sequence([refusal.map { .respond($0) } ?? file, file]) : file)
        }
        let urls = (0..<Self.files).map { server.url("/f\($0)") + "\n dir=\(folder)" }
        #expect(try queue.add(text: urls.joined(separator: "\n")).added == Self.files)
    }

    @Test(
        "A host answers one worker with 429: within a second no worker asks it, until its time, and others are asked",
        arguments: ["6", nil])
    func refused(retryAfter: String?) throws {
        let (busy, other, folder) = (LoopbackServer(), LoopbackServer(), try SimulatedFolder())
        let test = try TestQueue()
        let queue = try test.open()
        let headers: HeaderList = retryAfter.map { ["Retry-After": $0] } ?? [:]
        try add(busy, to: queue, folder: "busy", refusal: ScriptedResponse(429, headers: headers))
        try add(other, to: queue, folder: "other", refusal: nil)
        let workers = try (1...3).map { number in
            try ChildProcess(
                ChildProcess.path(of: "netdash-fleet"),
                ["worker", "-d", folder.path, "-j", "4", "--name", "w\(number)", "--drain"],
                environment: test.environment)
        }
        eventually("one is refused") { busy.requests.contains { $0.status == 429 } }
        let refused = FleetClock.now()
        while FleetClock.now() < refused + 1 { usleep(10_000) }
        let (asked, askedOther) = (busy.requestCount, other.requestCount)
        #expect(asked < Self.files, "there is something left to ask for")
        // The shorter hold is the 5 s of a host that names no time; some of them have passed.
        while FleetClock.now() < refused + 4 { usleep(10_000) }
        #expect(busy.requestCount == asked)
        #expect(other.requestCount > askedOther || other.requestCount == Self.files)
        for worker in workers { #expect(worker.wait() == 0, "\(worker.output)") }
        #expect(try queue.status().jobs == ["done": 2 * Self.files])
        // The refusal is no attempt, and nothing else was asked for twice.
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        #expect(busy.requestCount == Self.files + 1 && other.requestCount == Self.files)
    }

    @Test("A redirect to a host that is down holds that one, and its job alone waits and dies")
    func redirectedToDown() throws {
        let (healthy, down, folder) = (LoopbackServer(), LoopbackServer(), try SimulatedFolder())
        let test = try TestQueue()
        let queue = try test.open()
        try down.start()
        let target = down.url("/f")
        down.stop()
        try add(healthy, to: queue, folder: "healthy", refusal: .redirect(to: target))
        try queue.connection.run("UPDATE netdash.queue SET tries = 1")
        let worker = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["worker", "-d", folder.path, "-j", "4", "--drain"],
            environment: test.environment)
        #expect(worker.wait() == 0, "\(worker.output)")
        #expect(try queue.status().jobs == ["done": Self.files - 1, "dead": 1])
        let held = try queue.value("SELECT string_agg(host, ' ') FROM netdash.host WHERE not_before > '-infinity'")
        #expect(held == "\(try JobAddress(target).host)")
    }

    @Test("429 behind a redirect holds the host that answered, and its job alone waits", arguments: ["6", nil])
    func redirectedToBusy(retryAfter: String?) throws {
        let (listed, busy, folder) = (LoopbackServer(), LoopbackServer(), try SimulatedFolder())
        let test = try TestQueue()
        let queue = try test.open()
        try busy.start()
        let headers: HeaderList = retryAfter.map { ["Retry-After": $0] } ?? [:]
        busy.setRoute("/f", .sequence([.respond(ScriptedResponse(429, headers: headers)), .file(seed: 1, count: 10)]))
        try add(listed, to: queue, folder: "listed", refusal: .redirect(to: busy.url("/f")))
        listed.setRoute("/f10", .respond(.redirect(to: busy.url("/f"))))
        let began = FleetClock.now()
        let worker = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["worker", "-d", folder.path, "-j", "4", "--drain"],
            environment: test.environment)
        try eventually("the host that answered is held") { try queue.heldHosts().count == 1 }
        #expect(try queue.heldHosts().map(\.host) == ["127.0.0.1:\(busy.port)"])
        try eventually("its job says why it waits") {
            try queue.value("SELECT cause FROM netdash.job WHERE url LIKE '%/f10'") == "status 429"
        }
        #expect(worker.wait() == 0, "\(worker.output)")
        #expect(FleetClock.now() - began > 4, "it is not asked before its time")
        #expect(try queue.status().jobs == ["done": Self.files])
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        #expect(busy.requestCount == 2 && listed.requestCount == Self.files + 1)
    }

    @Test("A host that is down refuses one job per slot, holds the others, and loses none of them")
    func down() throws {
        let (server, folder) = (LoopbackServer(), try SimulatedFolder())
        let test = try TestQueue()
        let queue = try test.open()
        try add(server, to: queue, folder: "down", refusal: nil)
        server.stop()
        // With one attempt per job each that counts makes a dead letter.
        try queue.connection.run("UPDATE netdash.queue SET tries = 1")
        let worker = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["worker", "-d", folder.path, "-j", "4", "--drain"],
            environment: test.environment)
        try eventually("the host is held") { try queue.heldHosts().count == 1 }
        try eventually("its jobs are back") { try queue.count(.waiting) == Self.files }
        #expect(Int(try queue.value("SELECT count(*) FROM netdash.job WHERE cause IS NOT NULL") ?? "") ?? 99 <= 8)
        try server.start()
        #expect(worker.wait() == 0, "\(worker.output)")
        #expect(try queue.status().jobs == ["done": Self.files])
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
    }

    /// Whether a process may have a network of its own, of which `ip` sets the routes.
    private static let canRoute: Bool = {
        guard getuid() == 0 else { return false }
        let probe = try? ChildProcess(
            "/usr/bin/unshare", ["-n", "/bin/sh", "-c", "ip link add d0 type veth peer name d1"])
        return probe?.wait() == 0
    }()

    /// A machine's networks.
    enum Network: String, CaseIterable, Sendable {
        case none
        /// An interface that has given itself an address.
        case unused = "ip link add d0 type veth peer name d1 && ip link set d0 up && ip link set d1 up"
        /// Its own network, as of many nodes of clusters.
        case own = "ip addr add 198.51.100.1/24 dev d0"
        case all = "ip route add default via 198.51.100.2 dev d0 && ip route add unreachable 10.9.0.0/16"

        /// The commands that make it.
        var commands: String {
            let steps = Self.allCases.prefix { $0 != self } + [self]
            return (["ip link set lo up"] + steps.dropFirst().map(\.rawValue)).joined(separator: " && ")
        }

        var isThere: Bool { self == .own || self == .all }
    }

    @Test(
        "A host without a route is held for all workers, and halts one only where its machine has no network at all",
        .enabled(if: canRoute, "no permission for a network of its own"), arguments: Network.allCases)
    func unroutable(network: Network) throws {
        let (test, folder) = (try TestQueue(), try SimulatedFolder())
        let queue = try test.open()
        try queue.add(text: "http://10.9.1.1/a\nhttp://10.9.1.1/b")
        let hasNetwork = network.isThere
        let program = ChildProcess.path(of: "netdash-fleet")
        let command = "\(network.commands) && exec \(program) worker -d \(folder.path) -j 1"
        let environment = test.environment.merging(["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"]) { $1 }
        let one = try ChildProcess("/usr/bin/unshare", ["-n", "/bin/sh", "-c", command], environment: environment)
        eventually("it says so") {
            one.output.contains(hasNetwork ? "No requests to 10.9.1.1" : "No claims for a minute")
        }
        #expect(!one.output.contains(hasNetwork ? "No claims" : "No requests"), "\(one.output)")
        try eventually("the jobs are back") { try queue.count(.waiting) == 2 }
        #expect(try queue.heldHosts().map(\.host) == (hasNetwork ? ["10.9.1.1"] : []))
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        one.send(SIGTERM)
        #expect(one.wait() == 0, "\(one.output)")
    }
}
