import SessionCore
import Testing

@testable import TransferService

/// The mark that tells which bytes of a file entries of the history have.
@Suite("The bytes that are told")
struct ToldBytesTests {
    private func status(_ received: Int64, from resumedAt: Int64) -> TaskStatus {
        var status = TaskStatus()
        (status.received, status.resumedAt) = (received, resumedAt)
        return status
    }

    /// Records a run with one status before its end; returns the bytes of its entry.
    private func run(_ told: inout ToldBytes, to received: Int64, from resumedAt: Int64) -> Int64 {
        _ = told.record(status(received, from: resumedAt))
        told.recordEnd(status(received, from: resumedAt))
        told.tell(received: received)
        return told.latest
    }

    @Test("Each run tells what no earlier one has, and none what a row has found")
    func once() {
        var own = ToldBytes()
        #expect(run(&own, to: 600, from: 0) == 600)
        #expect(run(&own, to: 600, from: 600) == 0)
        #expect(run(&own, to: 900, from: 600) == 300)
        var found = ToldBytes()
        #expect(run(&found, to: 600, from: 600) == 0)
        #expect(run(&found, to: 900, from: 600) == 300)
    }

    @Test("A file that begins again tells all of its bytes, unless the ones before that stay")
    func again() {
        var told = ToldBytes(end: 600)
        let news = [told.record(status(100, from: 0)), told.record(status(200, from: 0))]
        #expect(news == [true, false])
        var kept = told
        told.recordEnd(status(200, from: 0))
        told.tell(received: 200)
        #expect(told.latest == 200 && told.end == 200)
        kept.recordEnd(status(600, from: 600))
        kept.tell(received: 600)
        #expect(kept.latest == 0 && kept.end == 600)
    }

    @Test("Bytes whose entry is taken back are told by the next end")
    func takenBack() {
        var told = ToldBytes(end: 600)
        #expect(run(&told, to: 800, from: 600) == 200)
        told.takeBack()
        #expect(told.end == 600)
        told.takeBack()
        #expect(told.end == 600)
        #expect(run(&told, to: 900, from: 800) == 300)
    }

    @Test("A later run of the session is told where bytes were found, and not where they began at 0")
    func marks() {
        var (own, found) = (ToldBytes(), ToldBytes())
        let news = [
            own.record(status(10, from: 0)), found.record(status(500, from: 500)), found.record(status(600, from: 500)),
        ]
        #expect(news == [false, true, false])
        #expect(own.end == 0 && found.end == 500)
    }
}
