import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows that are kept as little more than their URLs")
struct CompactRowsTests {
    private static let count: UInt64 = UInt64(CompactRows.blockLength)

    private static func url(_ id: UInt64) -> String { "http://example.org/\(id)" }

    /// A table of a whole block of rows and one more, with ids from 7.
    private func table() -> RowTable {
        var table = RowTable()
        for id in 7...(7 + Self.count) { table.insert(id, Job(kind: .download, url: Self.url(id))) }
        return table
    }

    private func log(_ what: TransferEvent.What, _ id: UInt64, at time: Int64, in table: inout RowTable) {
        table.log(TransferEvent(time: Timestamp(milliseconds: time), id: id, what: what), at: time)
    }

    private static func end(_ id: UInt64, _ result: TransferResult, in table: inout RowTable) -> Int64? {
        table.slot(of: id)?.row.run.result = result
        return table.settle(id)?.total
    }

    @Test("A pause and a resume leave rows compact, and answer as whole rows do")
    func pauses() {
        var table = table()
        for id in 8...9 as ClosedRange<UInt64> {
            let (isPaused, isPausedAgain) = (table.hold(id), table.hold(id))
            #expect(isPaused && !isPausedAgain)
            log(.paused, id, at: 100, in: &table)
        }
        let (wants, stopped, key) = (table.wantsTask(8), table.hasStopped(8), table.waitingKey(of: 8))
        #expect(!wants && stopped && key == nil)
        let figures = table.figures(of: 8, retryLimit: 5)
        #expect(figures?.state == .paused && figures?.id == 8)

        let (released, again) = (table.release(8, at: 250), table.release(8, at: 250))
        #expect(released && !again)
        log(.resumed, 8, at: 200, in: &table)
        let (touched, untouched) = (table.isTouched(8), table.isTouched(9))
        #expect(!touched && !untouched)
        let row = table.slot(of: 8)?.row
        #expect(row?.events.map(\.what) == [.paused, .resumed])
        #expect(row?.events.map(\.time.milliseconds) == [100, 200])
        #expect(row?.run.isPausedInQueue == false && row?.run.queuedAt == 200)
        #expect(row?.job.url == Self.url(8))
        table.insert(8 + Self.count, Job(kind: .download, url: Self.url(1)))
        let later = table[8 + Self.count]
        #expect(later?.events.isEmpty == true && later?.run.isPausedInQueue == false)
        let (pausedRow, other) = (table[9], table[10])
        #expect(pausedRow?.run.isPausedInQueue == true && pausedRow?.events.count == 1)
        #expect(other?.run.isPausedInQueue == false && other?.events.isEmpty == true)
    }

    @Test("A row that comes behind one that was paused has no log of it")
    func laterRows() {
        var table = RowTable()
        table.insert(1, Job(kind: .download, url: Self.url(1)))
        let isPaused = table.hold(1)
        log(.paused, 1, at: 1, in: &table)
        table.insert(2, Job(kind: .download, url: Self.url(2)))
        let (first, second) = (table[1], table[2])
        #expect(isPaused && first?.events.count == 1 && second?.events.isEmpty == true)
        let isSecondPaused = table.hold(2)
        log(.paused, 2, at: 2, in: &table)
        let paused = table[2]
        #expect(isSecondPaused && paused?.events.map(\.time.milliseconds) == [2])
    }

    @Test("A whole row is paused and released in its place, and keeps its own log")
    func wholeRows() {
        var table = table()
        log(.started, 8, at: 1, in: &table)
        let isPaused = table.hold(8)
        log(.paused, 8, at: 2, in: &table)
        #expect(isPaused)
        let paused = table[8]
        #expect(paused?.run.isPausedInQueue == true && paused?.events.map(\.what) == [.started, .paused])
        let released = table.release(8, at: 9)
        #expect(released)
        let resumed = table[8]
        #expect(resumed?.run.isPausedInQueue == false && resumed?.run.queuedAt == 9)
    }

    @Test("Rows that were paused differently have logs of their own, however they share what they have in common")
    func histories() {
        var histories = PauseHistories()
        func event(_ isPause: Bool, _ time: Int64) -> PauseHistories.Event {
            PauseHistories.Event(isPause: isPause, time: Timestamp(milliseconds: time), moment: time)
        }
        let all = histories.next(after: 0, event(true, 1))
        let again = histories.next(after: 0, event(true, 1))
        #expect(all == again)
        let some = histories.next(after: all, event(false, 2))
        let first = histories.next(after: some, event(true, 3))
        let second = histories.next(after: all, event(true, 3))
        let events = [some, first, second, 0].map { histories.events(of: $0).map(\.time.milliseconds) }
        #expect(events == [[1, 2], [1, 2, 3], [1, 3], []])
    }

    @Test("A row that has ended is compact again, answers how it ended, and can be tried again")
    func ends() {
        var table = table()
        let failure = TransferFailure(kind: "http", category: .ordinary, message: "404 Not Found", httpStatus: 404)
        let ends: [(UInt64, TransferResult)] = [(7, .completed), (8, .failed(failure)), (9, .cancelled)]
        for (id, result) in ends {
            let moved = Self.end(id, result, in: &table)
            #expect(moved == 0)
            let (isTouched, known, url) = (table.isTouched(id), table.result(of: id), table.url(of: id))
            #expect(!isTouched && known == result && url == Self.url(id))
            #expect(table.standing(of: id, countingEarlierFailures: true) == result)
            let source = table.source(of: id)
            #expect(source == nil)
        }
        let stopped = ([7, 8, 9, 10] as [UInt64]).map { table.hasStopped($0) }
        #expect(stopped == [false, true, true, false])
        let unfinished = Self.end(10, .unfinished, in: &table)
        #expect(unfinished == nil)
        let expanded = table.slot(of: 8)?.row
        #expect(expanded?.run.result == .failed(failure) && expanded?.job.url == Self.url(8))
    }

    @Test("Of a block whose rows have all ended the text is given up, where nobody asks for it")
    func forgets() {
        var table = table()
        table.forgetEnded()
        let failure = TransferResult.failed(TransferFailure(kind: "x", category: .disk, message: "full"))
        for id in 7..<(6 + Self.count) { _ = Self.end(id, id == 8 ? failure : .completed, in: &table) }
        let before = table.isForgotten(8)
        #expect(!before, "one row of the block has not ended")
        _ = Self.end(6 + Self.count, .cancelled, in: &table)
        let (gone, next) = (table.isForgotten(8), table.url(of: 7 + Self.count))
        #expect(gone && next == Self.url(7 + Self.count))
        let (url, result) = (table.url(of: 8), table.result(of: 8))
        #expect(url == nil && result == failure)

        // The same is asked for once more.
        for id in 7...8 as ClosedRange<UInt64> { table.revive(id, Job(kind: .download, url: Self.url(id))) }
        let (first, second, third) = (table[7], table[8], table[9])
        #expect(first?.job.url == Self.url(7) && first?.run.result == .completed)
        #expect(second?.job.url == Self.url(8) && second?.run.result == failure && third == nil)
        let moved = Self.end(8, .completed, in: &table)
        #expect(moved == 0)
        let end = table.result(of: 8)
        #expect(end == .completed)
    }

    @Test("Ids may leave gaps as large as they like")
    func gaps() {
        var table = RowTable()
        for id in [5, 9, 4_000_000] as [UInt64] { table.insert(id, Job(kind: .download, url: Self.url(id))) }
        let urls = ([5, 6, 9, 10, 4_000_000, 4_000_001] as [UInt64]).map { table.url(of: $0) }
        #expect(urls == [Self.url(5), nil, Self.url(9), nil, Self.url(4_000_000), nil])
        let removed = table.remove(9)
        #expect(removed?.id == 9)
        let gone = table.url(of: 9)
        #expect(gone == nil)
    }
}
