import FuzzTestSupport
import Testing

@testable import SessionCore

/// Entries of the scheduler without tasks: those whose turn is near get one.
@Suite("Entries of the queue", .timeLimit(.minutes(1)))
struct WaitingEntriesTests {
    /// Entries below 1000 are of a server that is away, others of one that is there.
    private static func host(_ id: UInt64) -> String { id < 1000 ? "http://away:80" : "http://there:80" }

    private static func entry(
        _ id: UInt64, kind: TransferKind = .download, priority: Float = 0.5, position: UInt64? = nil,
        host: String? = nil
    ) -> QueueChange {
        .enter(
            QueueEntry(
                id: TransferID(rawValue: id), host: host ?? Self.host(id), kind: kind, priority: priority,
                position: position ?? id))
    }

    private static func change(_ scheduler: inout Scheduler, _ changes: [QueueChange]) {
        scheduler.change(changes) { $0 == .data ? .requests : .files }
    }

    /// Those that are admitted now; their tasks come at once and join, unless `comes` is false.
    private static func admitted(_ scheduler: inout Scheduler, comes: Bool = true) -> [UInt64] {
        var ids: [UInt64] = []
        while let id = scheduler.nextAdmission() {
            ids.append(id.rawValue)
            if comes { join(&scheduler, id.rawValue) }
        }
        return ids
    }

    /// The task of an entry is there, as another transfer that is resumed at once.
    private static func join(_ scheduler: inout Scheduler, _ id: UInt64) {
        scheduler.leaveEntry(TransferID(rawValue: id))
        scheduler.count(.files, atWork: 1)
        scheduler.join(TransferID(rawValue: id), host: host(id), position: id)
    }

    private static func end(_ scheduler: inout Scheduler, waiting id: UInt64) {
        scheduler.leave(TransferID(rawValue: id))
        scheduler.count(.files, atWork: -1)
    }

    private static func fullScheduler() -> Scheduler {
        var scheduler = Scheduler(limit: 6, limitPerHost: 6)
        change(&scheduler, (UInt64(0)..<100).map { entry($0) } + (UInt64(1000)..<1100).map { entry($0) })
        #expect(admitted(&scheduler) == Array(0..<64))
        return scheduler
    }

    @Test("Entries of a host in trouble take no room from others, and get no more tasks")
    func held() {
        var scheduler = Self.fullScheduler()
        scheduler.setAccess("http://away:80", .none)
        #expect(Self.admitted(&scheduler) == Array(1000..<1064))
        for id in UInt64(1000)..<1010 { Self.end(&scheduler, waiting: id) }
        #expect(Self.admitted(&scheduler) == Array(1064..<1074))
    }

    @Test(
        "When everybody may ask the host again its tasks count, and its entries come first, as they have waited longer")
    func released() {
        var scheduler = Self.fullScheduler()
        scheduler.setAccess("http://away:80", .none)
        _ = Self.admitted(&scheduler)
        scheduler.setAccess("http://away:80", .all)
        for id in UInt64(0)..<64 { Self.end(&scheduler, waiting: id) }
        for id in UInt64(1000)..<1040 { Self.end(&scheduler, waiting: id) }
        #expect(Self.admitted(&scheduler) == Array(64..<100) + Array(1064..<1068))
    }

    @Test("A host in trouble always has one that asks it when it is asked, although all that had tasks are paused")
    func lastAsker() {
        var scheduler = Self.fullScheduler()
        scheduler.setAccess("http://away:80", .none)
        for id in UInt64(0)..<64 { Self.end(&scheduler, waiting: id) }
        #expect(Self.admitted(&scheduler).allSatisfy { $0 >= 1000 })
        scheduler.setAccess("http://away:80", .one)
        #expect(Self.admitted(&scheduler) == [64])
        #expect(Self.admitted(&scheduler).isEmpty)
        // One that its user sends ahead asks as well as any other.
        Self.change(&scheduler, [.hasten(TransferID(rawValue: 99))])
        #expect(Self.admitted(&scheduler) == [99])
        Self.end(&scheduler, waiting: 64)
        #expect(Self.admitted(&scheduler).isEmpty)
        Self.end(&scheduler, waiting: 99)
        #expect(Self.admitted(&scheduler) == [65])
    }

    @Test("Hosts that are away cannot have tasks without end")
    func bound() {
        var scheduler = Scheduler(limit: 6, limitPerHost: 6)
        Self.change(
            &scheduler, (UInt64(0)..<6_400).map { Self.entry($0, host: "http://\($0 / 64):80") })
        var count = 0
        for server in 0..<100 {
            while let id = scheduler.nextAdmission() {
                scheduler.leaveEntry(id)
                scheduler.count(.files, atWork: 1, away: 1)
                count += 1
            }
            scheduler.setAccess("http://\(server):80", .none)
        }
        #expect(count == 16 * 64)
    }

    @Test("A host whose slots are taken gets as many tasks as it needs, and others get theirs")
    func fullHost() {
        var scheduler = Scheduler(limit: 10, limitPerHost: 1)
        Self.change(&scheduler, (UInt64(0)..<200).map { Self.entry($0) } + [Self.entry(1000)])
        scheduler.join(TransferID(rawValue: 5_000), host: "http://away:80")
        #expect(scheduler.next() != nil)
        #expect(Self.admitted(&scheduler) == Array(0..<16) + [1000])
        #expect(scheduler.next() == TransferID(rawValue: 1000))
        #expect(scheduler.next() == nil)
        scheduler.release(host: "http://away:80")
        #expect(scheduler.next() == TransferID(rawValue: 0))
    }

    @Test("One that moves to the front is admitted although there are enough others, and goes before them")
    func moved() {
        var scheduler = Self.fullScheduler()
        Self.change(&scheduler, [.move(TransferID(rawValue: 1099), priority: 1, position: 1099)])
        #expect(scheduler.nextAdmission() == TransferID(rawValue: 1099))
        #expect(scheduler.nextAdmission() == nil)
        scheduler.leaveEntry(TransferID(rawValue: 1099))
        scheduler.join(TransferID(rawValue: 1099), host: Self.host(1099), priority: 1, position: 1099)
        #expect(scheduler.next() == TransferID(rawValue: 1099))
    }

    @Test("Many that are moved at once stand in their new order, and those that come back where they stood")
    func batch() {
        var scheduler = Scheduler(limit: 100, limitPerHost: 100)
        let ids = (UInt64(0)..<300).map { TransferID(rawValue: $0) }
        Self.change(&scheduler, ids.map { Self.entry($0.rawValue) })
        Self.change(&scheduler, ids.map { .move($0, priority: 0.5, position: 1_000 - $0.rawValue) })
        Self.change(&scheduler, ids[100..<200].map { .leave($0) })
        Self.change(&scheduler, ids[100..<150].map { Self.entry($0.rawValue, position: 1_000 - $0.rawValue) })
        Self.change(&scheduler, [.leave(ids[299]), Self.entry(299, position: 701)])
        let order = Self.admitted(&scheduler)
        let left = Array(UInt64(0)..<150) + Array(UInt64(200)..<300)
        #expect(order == Array(left.reversed()))
    }

    @Test(
        "Entries are admitted in order of priority and place, whatever changes and in whatever order", arguments: 0..<20
    )
    func random(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        var model: [UInt64: (priority: Float, position: UInt64)] = [:]
        for _ in 0..<200 {
            var changes: [QueueChange] = []
            for _ in 0..<Int.random(in: 1...80, using: &generator) {
                let id = UInt64.random(in: 0..<300, using: &generator)
                let priority = Float(Int.random(in: 0...2, using: &generator)) / 2
                let position = UInt64.random(in: 0..<50, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    changes.append(Self.entry(id, priority: priority, position: position, host: "h\(id % 7)"))
                    model[id] = model[id] ?? (priority, position)
                case 1:
                    changes.append(.leave(TransferID(rawValue: id)))
                    model[id] = nil
                default:
                    changes.append(.move(TransferID(rawValue: id), priority: priority, position: position))
                    if model[id] != nil { model[id] = (priority, position) }
                }
            }
            Self.change(&scheduler, changes)
            guard let id = scheduler.nextAdmission() else { continue }
            let first = model.min { left, right in
                if left.value.priority != right.value.priority { return left.value.priority > right.value.priority }
                return (left.value.position, left.key) < (right.value.position, right.key)
            }
            #expect(id.rawValue == first?.key)
            model[id.rawValue] = nil
            scheduler.leaveEntry(id)
        }
    }

    @Test("Nobody is admitted at the end, not even who is hastened")
    func end() {
        var scheduler = Scheduler(limit: 6, limitPerHost: 6)
        Self.change(&scheduler, (UInt64(0)..<10).map { Self.entry($0) })
        scheduler.setLimits(0, perHost: 1)
        Self.change(&scheduler, [.hasten(TransferID(rawValue: 5))])
        #expect(scheduler.nextAdmission() == nil)
        scheduler.setLimits(1, perHost: 1)
        #expect(scheduler.nextAdmission() == TransferID(rawValue: 5))
    }

    @Test("Requests and files do not wait for each other")
    func lanes() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        Self.change(&scheduler, (UInt64(0)..<100).map { Self.entry($0) } + [Self.entry(1000, kind: .data)])
        #expect(Self.admitted(&scheduler, comes: false) == [1000] + Array(0..<64))
        Self.change(&scheduler, [.leave(TransferID(rawValue: 7)), .leave(TransferID(rawValue: 1000))])
        #expect(Self.admitted(&scheduler, comes: false) == [64])
    }

    @Test(
        "A task that has ended before the engine knows it takes its entry out of the queue, unless it leaves it there",
        arguments: [true, false])
    func neverStarted(keepsEntry: Bool) async throws {
        let fixture = ManagerFixture()
        var options = TaskOptions()
        options.entry = TransferID(rawValue: 7)
        let task = try fixture.manager.dataTask(with: fixture.request, options: options) { _, _, _ in }
        if keepsEntry { task.cancelKeepingEntry() } else { task.cancel() }
        await fixture.settle()
        let left = fixture.engine.commands.compactMap { command -> TransferID? in
            guard case .queue(let changes) = command, case .leave(let id) = changes.first else { return nil }
            return id
        }
        #expect(left == (keepsEntry ? [] : [TransferID(rawValue: 7)]))
        #expect(task.state == .completed)
    }

    @Test("What one asks is named as the loop names it")
    func keys() {
        let keys = HostKeys()
        #expect(keys.key(of: "HTTPS://A.Example") { _ in nil } == "https://a.example:443")
        #expect(keys.key(of: "http://u:p@a.example:8080/?q") { _ in nil } == "http://a.example:8080")
        #expect(keys.key(of: "https://[::1]:/") { _ in nil } == "https://[::1]:443")
        #expect(keys.key(of: "nonsense") { _ in nil } == nil)
        let url = "http://h.example/file"
        #expect(
            keys.key(of: url) { $0 + "'s proxy" }
                == RequestRoute(key: "http://h.example:80 http://h.example:80's proxy").key)
    }
}
