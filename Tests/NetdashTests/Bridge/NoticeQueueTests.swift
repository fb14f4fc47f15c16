import Testing

@testable import TransferService

@Suite("News that wait for a subscriber")
struct NoticeQueueTests {
    private func event(_ id: UInt64, _ what: TransferEvent.What = .started, url: String? = nil) -> TransferNotice {
        .event(TransferEvent(time: Timestamp(milliseconds: 0), id: id, url: url, what: what))
    }

    @Test("Events keep their order, a row counts once, and of servers and limits the latest is told")
    func order() {
        var queue = NoticeQueue()
        let isFirst = queue.add(.moved(2))
        #expect(isFirst)
        for notice in [
            event(1), .moved(2), .changed(2), .moved(2), .held([]), event(1, .cancelled), .moved(3), .removed([1]),
        ] {
            let isAlone = queue.add(notice)
            #expect(!isAlone)
        }
        _ = queue.add(.limited(["a": 1]))
        _ = queue.add(.limited([:]))
        let taken = queue.take()
        #expect(
            taken == [
                event(1), event(1, .cancelled), .removed([1]), .held([]), .limited([:]), .changed(2), .moved(3),
            ])
        #expect(queue.isEmpty && queue.byteCount == 0)
    }

    @Test(
        "A subscriber that never reads costs at most its bound, and is told what it has lost",
        arguments: ["events", "rows", "removals"])
    func bound(kind: String) {
        #expect(MemoryLayout<TransferNotice>.stride <= 512)
        var queue = NoticeQueue()
        _ = queue.add(.held([]))
        let url = "http://127.0.0.1/" + String(repeating: "a", count: 100)
        for id in 1...100_000 as ClosedRange<UInt64> {
            switch kind {
            case "events": _ = queue.add(event(id, url: url))
            case "rows": _ = queue.add(.changed(id))
            default: _ = queue.add(.removed([id, id, id]))
            }
            #expect(queue.byteCount <= NoticeQueue.byteLimit)
        }
        let notices = queue.take()
        #expect(notices.first == .lost && notices.contains(.held([])))
        #expect(queue.isEmpty)
    }
}
