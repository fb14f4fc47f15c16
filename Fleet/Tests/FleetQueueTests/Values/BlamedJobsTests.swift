import Testing

@testable import FleetQueue

@Suite("Jobs that halt a worker, and jobs that are to blame themselves")
struct BlamedJobsTests {
    private func job(_ id: Int64, epoch: Int64 = 1) -> ClaimedJob {
        ClaimedJob(id: id, epoch: epoch, host: "h", url: "http://h/\(id)", destination: "\(id)")
    }

    /// Lets a worker claim and begin some jobs.
    private func begin(_ jobs: ClaimedJob..., by book: inout WorkerBook) {
        book.clearObstacle()
        book.sent(book.outbox)
        book.take(jobs)
        check(book.starts().count, is: jobs.count)
    }

    @Test("A job that halts a worker is not claimed again at once, and later each time")
    func waits() {
        var book = WorkerBook(slots: 1)
        for (index, wait) in [5.0, 10, 20, 40, 80, 160, 300, 300].enumerated() {
            let epoch = Int64(index + 1)
            begin(job(1, epoch: epoch), by: &book)
            book.take(.failed(1, .unable("broken")))
            #expect(book.obstacle == "broken")
            #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: epoch, cause: "broken", wait: wait)])
        }
    }

    @Test("A job that would halt a worker again waits alone where others have gone well since")
    func haltsOnce() {
        var book = WorkerBook(slots: 1)
        begin(job(1), by: &book)
        book.take(.failed(1, .unable("broken")))
        #expect(book.obstacle == "broken" && book.outbox.notes.isEmpty)
        begin(job(2), by: &book)
        book.take(.done(2, received: 1, result: nil))
        begin(job(1, epoch: 2), by: &book)
        book.take(.failed(1, .unable("broken")))
        #expect(book.obstacle == nil && book.outbox.failures.isEmpty)
        #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: 2, cause: "broken", wait: 10)])
        #expect(book.outbox.notes == [WorkerLines.aside(1, "broken")])
        begin(job(3), by: &book)
        book.take(.failed(3, .unable("broken")))
        #expect(book.obstacle == "broken", "another job's trouble is news")
    }

    @Test("A job whose file a bucket refuses halts nobody, and is a failed attempt where the bucket takes others")
    func refusedFile() {
        var book = WorkerBook(slots: 2)
        begin(job(1), by: &book)
        book.take(.failed(1, .unplaced("403")))
        #expect(book.obstacle == nil && book.outbox.failures.isEmpty)
        #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: 1, cause: "403", wait: 5)])
        #expect(book.outbox.notes == [WorkerLines.aside(1, "403")])
        begin(job(1, epoch: 2), by: &book)
        book.take(.failed(1, .unplaced("403")))
        #expect(book.outbox.handBacks == [HandBack(id: 1, epoch: 2, cause: "403", wait: 10)])
        #expect(book.outbox.notes.isEmpty && book.obstacle == nil)
        begin(job(2), by: &book)
        book.take(.done(2, received: 1, result: nil))
        begin(job(1, epoch: 3), by: &book)
        book.take(.failed(1, .unplaced("403")))
        #expect(book.obstacle == nil && book.outbox.handBacks.isEmpty)
        #expect(book.outbox.failures == [Failure(id: 1, epoch: 3, cause: "403", isFinal: false)])
    }

    @Test("The last file of a queue is a failed attempt too where the bucket took others, unless it refuses all since")
    func lastFile() {
        var book = WorkerBook(slots: 2)
        begin(job(1), by: &book)
        book.take(.done(1, received: 1, result: nil))
        begin(job(2), by: &book)
        book.take(.failed(2, .unplaced("403")))
        #expect(book.outbox.handBacks == [HandBack(id: 2, epoch: 1, cause: "403", wait: 5)])
        for epoch in [2, 3] as [Int64] {
            begin(job(2, epoch: epoch), by: &book)
            book.take(.failed(2, .unplaced("403")))
            #expect(book.outbox.failures == [Failure(id: 2, epoch: epoch, cause: "403", isFinal: false)])
            #expect(book.outbox.handBacks.isEmpty && book.obstacle == nil)
        }
        begin(job(3), job(4), by: &book)
        book.take(.failed(3, .unplaced("403")))
        #expect(book.obstacle == "403")
        begin(job(3, epoch: 2), by: &book)
        book.take(.failed(3, .unplaced("403")))
        #expect(book.obstacle == "403" && book.outbox.failures.isEmpty)
    }

    @Test("A bucket that refuses as many files as there are slots halts the worker, and costs no attempt")
    func refusingBucket() {
        var book = WorkerBook(slots: 2)
        begin(job(1), job(2), by: &book)
        book.take(.failed(1, .unplaced("403")))
        #expect(book.obstacle == nil)
        book.take(.failed(2, .unplaced("403")))
        #expect(book.obstacle == "403")
        begin(job(1, epoch: 2), by: &book)
        book.take(.failed(1, .unplaced("403")))
        #expect(book.obstacle == "403" && book.outbox.failures.isEmpty)
    }
}
