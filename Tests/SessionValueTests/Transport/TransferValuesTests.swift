import CCurl
import Testing

@testable import SessionCore

/// The values that a transfer and its attempts are made of, each alone.
@Suite("Values of a transfer")
struct TransferValuesTests {
    @Test("A transfer that moves to another server is away until it is back at its own")
    func home() {
        let own = QueueHome(host: "http://host:80", origin: "http://host:80")
        #expect(!own.isAway)
        let other = QueueHome(host: "http://mirror:80", original: own.origin)
        #expect(other.isAway && other.host == "http://mirror:80" && other.origin == "http://mirror:80")
        #expect(QueueHome(host: own.host, original: own.origin) == own)
        #expect(QueueHome(host: own.host, original: nil).isAway, "a URL without an origin has no server of its own")
    }

    @Test("The queue's counts change once for each change of a transfer")
    func attendance() {
        var attendance = QueueAttendance()
        let work = [true, true, false, false].map { attendance.work($0) }
        #expect(work == [true, false, true, false] && !attendance.isAtWork)
        let away = [false, true, true].map { attendance.goAway($0) }
        #expect(away == [false, true, false] && attendance.isAway)
    }

    @Test("A phase is entered once, and only a retry keeps what is waited for")
    func phases() {
        var figures = TransferFigures(sendsBody: false)
        #expect(figures.status.expectedToSend == 0)
        #expect(TransferFigures(sendsBody: true).status.expectedToSend == nil)
        let entered = [Phase.queued, .connecting, .connecting].map { figures.enter($0) }
        #expect(entered == [false, true, false])
        figures.waits(because: .timedOut)
        figures.waits(until: 5)
        figures.waitsForHost(.busy)
        let isRetrying = figures.enter(.retrying)
        #expect(isRetrying && figures.status.retryAt == 5 && figures.status.retryCause == .timedOut)
        #expect(figures.status.backoffReason == .busy)
        let isQueued = figures.enter(.queued)
        #expect(isQueued && figures.status.retryAt == nil && figures.status.retryCause == nil)
        #expect(figures.status.backoffReason == nil)
        figures.end(.cancelled(keepsPart: true))
        #expect(figures.status.phase == .cancelled)
    }

    @Test("A request whose body moves is running before the response, and rests between attempts")
    func progress() {
        var figures = TransferFigures(sendsBody: true)
        figures.send(behind: 3, of: 10)
        _ = figures.enter(.connecting)
        let body = TransferFigures.Body(
            received: 7, expected: 9, resumedAt: 2, resumability: .yes, failedAttempts: 1)
        var progress = TransferFigures.Progress(connections: 2, sent: 4, inFlight: 1, hasSent: false)
        figures.refresh(body, progress)
        #expect(figures.status.phase == .connecting && figures.status.connections == 2)
        (progress.hasSent, progress.answerAwaitedSince) = (true, 8)
        figures.refresh(body, progress)
        #expect(figures.status.phase == .running && figures.status.answerAwaitedSince == 8)
        #expect(figures.status.sent == 4 && figures.status.inFlight == 1 && figures.status.expectedToSend == 10)
        figures.refresh(body, nil)
        #expect(figures.status.connections == 0 && figures.status.inFlight == 0 && figures.status.sent == 4)
        #expect(figures.status.answerAwaitedSince == nil && figures.status.received == 7)
    }

    @Test("The responses before the final one are kept until the request starts over")
    func earlierHeads() {
        var figures = TransferFigures(sendsBody: false)
        let redirect = ResponseHead(statusCode: 302)
        figures.recordEarlier([ResponseHead(statusCode: 103), redirect])
        #expect(figures.metrics.earlierHeads.map(\.statusCode) == [103, 302])
        figures.forgetEarlier()
        #expect(figures.metrics.earlierHeads.isEmpty)
    }

    @Test("A new response drops the page of the one before")
    func answer() {
        var answer = AnswerState()
        answer.hear(ResponseHead(statusCode: 404))
        answer.keep(MemorySink(limit: 1))
        #expect(answer.page != nil)
        answer.hear(ResponseHead(statusCode: 200))
        #expect(answer.page == nil && answer.head?.statusCode == 200 && !answer.becameDownload)
        answer.becomeDownload()
        #expect(answer.becameDownload)
    }

    @Test("Nothing is true of an attempt's end before libcurl has finished it")
    func ends() {
        let facts = Attempt.End.Facts(leavesConnection: true, hasGivenAll: true, isCutInCoding: true)
        for end in [Attempt.End.none, .withheld(CURLE_OK)] {
            #expect(!end.facts.leavesConnection && !end.facts.hasGivenAll && !end.facts.isCutInCoding)
        }
        let known = Attempt.End.known(facts).facts
        #expect(known.leavesConnection && known.hasGivenAll && known.isCutInCoding)
    }

    @Test("Metrics are collected once for each change")
    func collecting() {
        var figures = Attempt.Figures()
        let changes = [figures.change(), figures.change()]
        figures.collected()
        let again = figures.change()
        #expect(changes == [true, false] && again)
    }
}
