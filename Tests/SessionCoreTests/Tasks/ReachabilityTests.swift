import Dispatch
import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Reachability", .timeLimit(.minutes(1)))
struct ReachabilityTests {
    private let source = ScriptedReachability(.wired)
    private let manager: ReachabilityManager
    private let changes = EventLog<ReachabilityStatus>()

    init() {
        manager = ReachabilityManager(source: source)
        manager.onStatusChange = { [changes] in changes.add($0) }
    }

    private func settle() async {
        await withCheckedContinuation { continuation in manager.queue.async { continuation.resume() } }
    }

    @Test("J02 J07 J08 KB37: the status is unknown until it is asked for, and known when monitoring has started")
    func initialStatus() async {
        #expect(manager.status == .unknown && !manager.isReachable && source.lookCount == 0)
        manager.startMonitoring()
        #expect(manager.status == .reachableViaWiFi && manager.isReachableViaWiFi && manager.link == .wired)
        #expect(await changes.wait(count: 1) == [.reachableViaWiFi])
    }

    @Test("J11 J13 J14 KB36: only changes are announced, in order")
    func onlyChanges() async {
        manager.startMonitoring()
        for link in [NetworkLink.wired, .wireless, .none, .none, .cellular, .cellular, .other] {
            source.change(to: link)
        }
        await settle()
        #expect(changes.entries == [.reachableViaWiFi, .notReachable, .reachableViaWWAN, .reachableViaWiFi])
        #expect(manager.link == .other)
    }

    @Test("J10 J12: after stopping nothing is announced, and the status stays")
    func stopping() async {
        manager.startMonitoring()
        _ = await changes.wait(count: 1)
        manager.queue.suspend()
        source.change(to: .none)
        manager.stopMonitoring()
        source.change(to: .cellular)
        manager.queue.resume()
        await settle()
        #expect(changes.entries == [.reachableViaWiFi] && manager.status == .notReachable)
        #expect(source.watcherCount == 0 && !manager.isMonitoring)
    }

    @Test("J09: starting again replaces the watch")
    func restarting() {
        manager.startMonitoring()
        manager.startMonitoring()
        #expect(source.watcherCount == 1 && manager.isMonitoring)
    }

    @Test("J09 J13: starting again before the first finding was announced does not lose it", arguments: 0..<3)
    func startingAgainLosesNothing(how: Int) async {
        manager.queue.suspend()
        switch how {
        case 0: manager.startMonitoring()
        case 1:
            manager.startMonitoring()
            manager.stopMonitoring()
        default: manager.checkStatus()
        }
        manager.startMonitoring()
        manager.queue.resume()
        await settle()
        #expect(changes.entries == [.reachableViaWiFi])
        source.change(to: .none)
        await settle()
        #expect(changes.entries == [.reachableViaWiFi, .notReachable])
    }

    @Test("J10 J13: what changed back before it was announced is not announced when monitoring starts again")
    func changedBackAndForth() async {
        manager.startMonitoring()
        _ = await changes.wait(count: 1)
        manager.queue.suspend()
        source.change(to: .none)
        manager.stopMonitoring()
        source.change(to: .wireless)
        manager.startMonitoring()
        manager.queue.resume()
        await settle()
        #expect(changes.entries == [.reachableViaWiFi] && manager.status == .reachableViaWiFi)
    }

    @Test("J14: a stream begins with the status and brings every change")
    func stream() async {
        manager.startMonitoring()
        var iterator = manager.statuses.makeAsyncIterator()
        #expect(await iterator.next() == .reachableViaWiFi)
        source.change(to: .none)
        source.change(to: .cellular)
        #expect(await iterator.next() == .notReachable)
        #expect(await iterator.next() == .reachableViaWWAN)
    }

    @Test("J15: the notification has the original's name and number, and the manager")
    func notification() async {
        let posted = EventLog<Int>()
        let token = NotificationCenter.default.addObserver(
            forName: Notification.Name("com.alamofire.networking.reachability.change"), object: manager, queue: nil
        ) { posted.add($0.userInfo?["AFNetworkingReachabilityNotificationStatusItem"] as? Int ?? -9) }
        defer { NotificationCenter.default.removeObserver(token) }
        #expect(ReachabilityNotification.statusKey == "AFNetworkingReachabilityNotificationStatusItem")
        #expect(Notification.Name.reachabilityDidChange.rawValue == "com.alamofire.networking.reachability.change")
        manager.startMonitoring()
        source.change(to: .none)
        #expect(await posted.wait(count: 2) == [2, 0])
    }

    @Test("J17: a manager that is let go ends its watch and its streams")
    func lifetime() async {
        let queue = DispatchQueue(label: "ReachabilityTests.lifetime")
        var short: ReachabilityManager? = ReachabilityManager(source: source, queue: queue)
        short?.startMonitoring()
        #expect(source.watcherCount == 1)
        let statuses = short?.statuses
        queue.sync {}  // An announcement keeps the manager until it is made.
        short = nil
        // An announcement that is under way holds it for a moment.
        while source.watcherCount != 0 { await Task.yield() }
        var seen: [ReachabilityStatus] = []
        if let statuses { for await status in statuses { seen.append(status) } }
        #expect(seen == [.reachableViaWiFi])
    }

    @Test("J01 J16: the words and numbers are the original's")
    func words() {
        #expect(ReachabilityStatus.allCases.map(\.rawValue) == [-1, 0, 1, 2])
        #expect(
            ReachabilityStatus.allCases.map(\.description) == [
                "Unknown", "Not Reachable", "Reachable via WWAN", "Reachable via WiFi",
            ])
    }

    @Test("A08: a session manager never starts it and never asks it before a request")
    func neverGates() async throws {
        source.change(to: .none)
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/", .respond(.text("ok")))
        let session = SessionManager()
        session.postsNotifications = false
        session.responseSerializer = DataResponseSerializer()
        session.reachabilityManager = manager
        let task = try session.dataTask(with: TransferRequest(url: server.url("/")), completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil)
        #expect(source.lookCount == 0 && !manager.isMonitoring && session.reachabilityManager === manager)
    }

    @Test("J04 J06: the system's source finds the loopback link, refuses names, and can watch")
    func systemSource() throws {
        let source = try SystemReachabilitySource(address: "127.0.0.1")
        #expect(source.currentLink() == .loopback)
        #expect(throws: SessionError.self) { try SystemReachabilitySource(address: "localhost") }
        // An address of a link needs the link's name; another name, and an empty one, are none.
        #expect(throws: Never.self) { try SystemReachabilitySource(address: "fe80::1%lo") }
        for zone in ["%none9", "%", "%lo%lo"] {
            #expect(throws: SessionError.self) { try SystemReachabilitySource(address: "fe80::1" + zone) }
        }
        let manager = try ReachabilityManager(address: "127.0.0.1")
        #expect(throws: SessionError.self) { try ReachabilityManager(address: "localhost") }
        manager.startMonitoring()
        #expect(manager.status == .reachableViaWiFi && manager.link == .loopback)
        #expect(source.watch {} != nil)
        manager.stopMonitoring()
        let anywhere = SystemReachabilitySource().currentLink()
        #expect(NetworkLink.allCases.contains(anywhere))
    }

    @Test("J03: the process has one, which is nobody's alone, and others are new")
    func shared() {
        #expect(
            ReachabilityManager.shared === ReachabilityManager.shared
                && ReachabilityManager() !== ReachabilityManager.shared)
        #expect(SessionManager().reachabilityManager === ReachabilityManager.shared)
    }

    @Test("J12 J14: the status is set, then the closure is called, then the notification is posted")
    func order() async {
        let log = EventLog<String>()
        let manager = ReachabilityManager(source: source)
        manager.onStatusChange = { [weak manager] in log.add("closure \($0 == manager?.status)") }
        let token = NotificationCenter.default.addObserver(
            forName: .reachabilityDidChange, object: manager, queue: nil
        ) { _ in log.add("notification") }
        defer { NotificationCenter.default.removeObserver(token) }
        manager.startMonitoring()
        #expect(await log.wait(count: 2) == ["closure true", "notification"])
    }

    @Test("J11: every kind of link has its status", arguments: NetworkLink.allCases)
    func links(_ link: NetworkLink) {
        let expected: ReachabilityStatus =
            switch link {
            case .unknown: .unknown
            case .none: .notReachable
            case .cellular: .reachableViaWWAN
            case .loopback, .wired, .wireless, .other: .reachableViaWiFi
            }
        #expect(link.status == expected)
    }
}

/// A host that is watched by its name.
@Suite("Reachability of a host", .timeLimit(.minutes(1)))
struct HostReachabilityTests {
    /// Answers when the test says so.
    private final class Resolver: Sendable {
        private let answers = Monitor([HostReachabilitySource.Answer]())
        let asked = EventLog<String>()

        func answer(_ answer: HostReachabilitySource.Answer) { answers.change { $0.append(answer) } }

        func lookUp(_ name: String) -> HostReachabilitySource.Answer {
            asked.add(name)
            guard answers.wait(timeoutMilliseconds: 20_000, until: { !$0.isEmpty }) else { return .noAnswer }
            return answers.change { $0.removeFirst() }
        }
    }

    private let resolver = Resolver()

    private func makeSource() throws -> HostReachabilitySource {
        try HostReachabilitySource(domain: "server.example") { [resolver] in resolver.lookUp($0) }
    }

    @Test("J05 J08: the status is unknown until the name was looked up, and nothing is announced before")
    func unknownAtFirst() async throws {
        let manager = ReachabilityManager(source: try makeSource())
        let changes = EventLog<ReachabilityStatus>()
        manager.onStatusChange = { changes.add($0) }
        manager.startMonitoring()
        #expect(await resolver.asked.wait(count: 1) == ["server.example"])
        #expect(manager.status == .unknown && manager.link == .unknown && manager.checkStatus() == .unknown)
        resolver.answer(.addresses(["127.0.0.1"]))
        #expect(await changes.wait(count: 1) == [.reachableViaWiFi])
        #expect(manager.link == .loopback)
    }

    @Test("J05: a name that does not exist leads nowhere, and what cannot be a name is refused")
    func noSuchName() async throws {
        let manager = ReachabilityManager(source: try makeSource())
        let changes = EventLog<ReachabilityStatus>()
        manager.onStatusChange = { changes.add($0) }
        resolver.answer(.unknownName)
        manager.startMonitoring()
        #expect(await changes.wait(count: 1) == [.notReachable])
        for text in ["", "a b", "http://x", "a\n", String(repeating: "a", count: 254)] {
            #expect(throws: SessionError.self, "\(text)") { try ReachabilityManager(domain: text) }
        }
    }

    @Test("A lookup that reached nobody leaves the last addresses, and is not the end: each watch looks again")
    func nobodyAnswers() async throws {
        let source = try makeSource()
        let told = EventLog<Int>()
        for (number, answer) in [HostReachabilitySource.Answer.addresses(["127.0.0.1"]), .noAnswer].enumerated() {
            resolver.answer(answer)
            let watch = source.watch { told.add(number) }
            // The kernel may tell of changes of its own; the lookup's word is one more.
            while !told.entries.contains(number) { await Task.yield() }
            #expect(watch != nil && source.currentLink() == .loopback)
        }
        let strange = try makeSource()
        resolver.answer(.noAnswer)
        let watch = strange.watch { told.add(9) }
        while !told.entries.contains(9) { await Task.yield() }
        #expect(watch != nil && strange.currentLink() == SystemReachabilitySource().currentLink())
    }

    @Test("J05: the system knows the name of this machine, and an address as its own name")
    func system() async throws {
        for domain in ["localhost", "127.0.0.1"] {
            let manager = try ReachabilityManager(domain: domain)
            let changes = EventLog<ReachabilityStatus>()
            manager.onStatusChange = { changes.add($0) }
            manager.startMonitoring()
            #expect(await changes.wait(count: 1) == [.reachableViaWiFi])
            #expect(manager.link == .loopback)
        }
    }
}
