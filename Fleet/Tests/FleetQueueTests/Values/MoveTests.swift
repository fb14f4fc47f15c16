import Testing

@testable import FleetQueue

@Suite("The counts of running jobs between two beats")
struct MoveTests {
    private func book(_ jobs: Int64...) -> WorkerBook {
        var book = WorkerBook(slots: jobs.count)
        book.take(
            jobs.map { ClaimedJob(id: $0, epoch: $0 + 10, host: "h", url: "http://h/\($0)", destination: "\($0)") })
        _ = book.starts()
        return book
    }

    @Test("A job that lasts for a second is told, and a small file that does not is none")
    func lasting() {
        var book = book(1, 2, 3)
        book.take(.moved(1, received: 100, total: nil))
        book.take(.moved(2, received: 2 << 20, total: 9 << 20))
        // The second one is no small file.
        let large = JobMove(id: 2, epoch: 12, received: 2 << 20, total: 9 << 20)
        check(book.moves(), is: [large])
        check(book.moves(), is: [JobMove(id: 1, epoch: 11, received: 100, total: nil), large])
        book.take(.done(2, received: 9 << 20, result: nil))
        check(book.moves(), is: [JobMove(id: 1, epoch: 11, received: 100, total: nil)], "nothing is known of the third")
        for id in [1, 3] as [Int64] {
            #expect(book.isRunning)
            book.take(.stopped(id, received: nil))
        }
        #expect(!book.isRunning)
        check(book.moves(), is: [])
    }

    @Test("A size that no file has is none", arguments: [.max, (1 << 50) + 1, -1] as [Int64])
    func noSize(total: Int64) {
        var book = book(1)
        book.take(.moved(1, received: 2 << 20, total: total))
        check(book.moves(), is: [JobMove(id: 1, epoch: 11, received: 2 << 20, total: nil)])
        #expect(book.leased.map(\.total) == [nil])
        book.take(.moved(1, received: 2 << 20, total: 1 << 50))
        #expect(book.leased.map(\.total) == [1 << 50])
    }

    @Test("Of very many jobs some are told")
    func many() {
        var book = WorkerBook(slots: 2_000)
        book.take(
            (1...2_000).map { ClaimedJob(id: $0, epoch: 1, host: "h", url: "http://h/\($0)", destination: "\($0)") })
        _ = book.starts()
        for id in 1...2_000 as ClosedRange<Int64> { book.take(.moved(id, received: 2 << 20, total: nil)) }
        check(book.moves().count, is: WorkerBook.mostMoves)
    }

    @Test("Counts are due once a second while jobs run, and never without one")
    func due() {
        var times = Timetable(lease: 60)
        check(times.areMovesDue(at: 5, hasJobs: false), is: false)
        check(times.areMovesDue(at: 5, hasJobs: true), is: true)
        check(times.areMovesDue(at: 5.9, hasJobs: true), is: false)
        #expect(times.waitForMoves(from: 5.5) == 0.5)
        check(times.areMovesDue(at: 6, hasJobs: true), is: true)
    }

    @Test("What is told with a beat does not wait for it")
    func beat() {
        var times = Timetable(lease: 60)
        check(times.isBeatDue(at: 1), is: true)
        check(times.isBeatDue(at: 2), is: false)
        times.expectBeat()
        #expect(times.wait(from: 2, wantsJobs: false) == 0)
        check(times.isBeatDue(at: 2), is: true)
    }
}
