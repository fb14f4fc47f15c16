import Testing

@testable import TransferService

@Suite("News that wait for a subscriber")
struct NoticeQueueTests {
    private func event(_ id: UInt64, _ what: TransferEvent.What = .started, url: String? = nil) -> TransferNotice {
        .event(TransferEvent(time: Timestamp(milliseconds: 0), id: id, url: url, what: what))
    }

    private func add(_ notice: TransferNotice, to queue: inout NoticeQueue) -> Urgency? { queue.add(notice) }
    private func take(_ queue: inout NoticeQueue, at now: Int64 = 0) -> NoticeQueue.Content { queue.take(at: now) }
    private func show(_ ids: Set<UInt64>, in queue: inout NoticeQueue) -> Bool { queue.show(ids) }

    private static let failure = TransferFailure(kind: "timedOut", category: .ordinary, message: "Too late")

    @Test("Events keep their order, a row counts once, and of servers and limits the latest is told")
    func order() {
        var queue = NoticeQueue(Interest(showsRows: true))
        for notice in [
            .moved(2), event(1), .moved(2), .changed(2), .moved(2), .backoffs([]), event(1, .cancelled), .moved(3),
            .removed([1]), .limited(["a": 1]), .limited([:]),
        ] {
            _ = queue.add(notice)
        }
        let taken = take(&queue)
        #expect(
            taken
                == NoticeQueue.Content(
                    notices: [event(1), event(1, .cancelled), .removed([1]), .backoffs([]), .limited([:])],
                    changed: [1, 2], moved: [3]))
        #expect(queue.isEmpty && queue.byteCount == 0)
    }

    @Test("What is no news for a subscriber does not wake it, and an end is news for each")
    func interests() {
        let ends: [TransferEvent.What] = [
            .completed(.init(path: "a", bytes: 1, seconds: 1)), .cancelled, .paused, .failed(Self.failure),
        ]
        for what in ends {
            var queue = NoticeQueue(.least)
            #expect(add(event(1, what), to: &queue) == .event)
            #expect(take(&queue).notices == [event(1, what)])
        }
        var silent = NoticeQueue(.least)
        for notice in [event(1), .moved(1), .changed(1)] { #expect(add(notice, to: &silent) == nil) }
        #expect(silent.isEmpty)
        var lines = NoticeQueue(Interest(hearsProgress: true))
        #expect(add(.moved(1), to: &lines) == .frame && add(.changed(2), to: &lines) == .frame)
        #expect(take(&lines) == NoticeQueue.Content(moved: [1, 2]))
        var rows = NoticeQueue(Interest(showsRows: true, hearsMilestones: false))
        #expect(add(event(1), to: &rows) == .event)
        #expect(take(&rows) == NoticeQueue.Content(changed: [1]))
    }

    @Test("Numbers of rows that are not shown are told twice a second, and as soon as they are shown")
    func shown() {
        var queue = NoticeQueue(Interest(showsRows: true))
        #expect(!show([1, 2], in: &queue))
        #expect(add(.moved(1), to: &queue) == .frame && add(.moved(7), to: &queue) == .rest)
        // The first time nothing was told before.
        #expect(take(&queue, at: 10_000).moved == [1, 7])
        _ = queue.add(.moved(7))
        _ = queue.add(.moved(2))
        #expect(queue.restDue == 10_500 && !queue.isEmpty)
        #expect(take(&queue, at: 10_250).moved == [2])
        #expect(queue.isEmpty && queue.byteCount > 0)
        #expect(take(&queue, at: 10_499).moved == [])
        #expect(take(&queue, at: 10_500).moved == [7])
        _ = queue.add(.moved(8))
        #expect(show([8], in: &queue))
        #expect(queue.restDue == nil && take(&queue, at: 10_501).moved == [8])
        // A row that changed is told at once and as a whole, shown or not.
        #expect(add(.changed(9), to: &queue) == .frame && add(.moved(9), to: &queue) == .frame)
        #expect(take(&queue, at: 10_502) == NoticeQueue.Content(changed: [9]))
    }

    @Test(
        "A subscriber that never reads costs at most its bound, and is told what it has lost",
        arguments: ["events", "rows", "removals", "numbers"])
    func bound(kind: String) {
        #expect(MemoryLayout<TransferNotice>.stride <= 512)
        var queue = NoticeQueue(Interest(showsRows: true))
        _ = queue.show([])
        _ = queue.add(.backoffs([]))
        let url = "http://127.0.0.1/" + String(repeating: "a", count: 100)
        for id in 1...100_000 as ClosedRange<UInt64> {
            switch kind {
            case "events": _ = queue.add(event(id, url: url))
            case "rows": _ = queue.add(.changed(id))
            case "numbers": _ = queue.add(.moved(id))
            default: _ = queue.add(.removed([id, id, id]))
            }
            #expect(queue.byteCount <= NoticeQueue.byteLimit)
        }
        let content = take(&queue)
        #expect(content.isCut && content.notices.contains(.backoffs([])))
        // What came behind the cut is delivered in bounded parts.
        #expect(content.changed.count <= 200 && content.moved.count <= 200)
        var deliveries = 0
        while !queue.isEmpty, deliveries < 125 {
            _ = take(&queue)
            deliveries += 1
        }
        #expect(queue.isEmpty)
    }

    @Test("The run's own window and lines lose nothing")
    func unbounded() {
        var queue = NoticeQueue(Interest(keepsAll: true), byteLimit: .max)
        for id in 1...10_000 as ClosedRange<UInt64> { _ = queue.add(event(id)) }
        let content = take(&queue)
        #expect(!content.isCut && content.notices.count == 10_000)
    }

    @Test(
        "The first rows are told in 2 ms, those behind them with their frame, events in 5 ms",
        arguments: [
            (.immediate, nil, 0), (.addition, nil, 2), (.addition, 100, 250), (.addition, 251, 5), (.event, nil, 5),
            (.frame, 0, 250), (.rest, 0, 500),
        ] as [(Urgency, Int64?, Int64)])
    func delays(urgency: Urgency, idle: Int64?, delay: Int64) {
        #expect(urgency.delay(frame: 250, idle: idle) == delay)
    }
}
