import Dispatch
import Foundation
import LoopbackServer
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

    @Test("J08 KB37: the status is unknown until it is asked for, and known when monitoring has started")
    func initialStatus() async {
        #expect(manager.status == .unknown && !manager.isReachable && source.lookCount == 0)
        manager.startMonitoring()
        #expect(manager.status == .reachableViaWiFi && manager.isReachableViaWiFi && manager.link == .wired)
        #expect(await changes.wait(count: 1) == [.reachableViaWiFi])
    }

    @Test("J13 KB36: only changes are announced, in order")
    func onlyChanges() async {
        manager.startMonitoring()
        for link in [NetworkLink.wired, .wireless, .none, .none, .cellular, .cellular, .other] {
            source.change(to: link)
        }
        await settle()
        #expect(changes.entries == [.reachableViaWiFi, .notReachable, .reachableViaWWAN, .reachableViaWiFi])
        #expect(manager.link == .other)
    }

    @Test("J10: after stopping nothing is announced, and the status stays")
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

    @Test("J16: the words and numbers are the original's")
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

    @Test("The system's source finds the loopback link, refuses names, and can watch")
    func systemSource() throws {
        let source = try SystemReachabilitySource(address: "127.0.0.1")
        #expect(source.currentLink() == .loopback)
        #expect(throws: SessionError.self) { try SystemReachabilitySource(address: "localhost") }
        let manager = ReachabilityManager(source: source)
        manager.startMonitoring()
        #expect(manager.status == .reachableViaWiFi && manager.link == .loopback)
        #expect(source.watch {} != nil)
        manager.stopMonitoring()
        let anywhere = SystemReachabilitySource().currentLink()
        #expect(NetworkLink.allCases.contains(anywhere))
    }
}
