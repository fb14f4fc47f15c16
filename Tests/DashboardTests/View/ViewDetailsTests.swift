import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What the details say")
struct ViewDetailsTests {
    private func lines(of tab: DetailsTab, _ row: RowSnapshot, _ details: RowDetails) -> [String] {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row]))
        _ = update(&model, .details(row.id, details))
        return DetailsContent(model: model, row: row).lines(of: tab)
            .map { $0.label.isEmpty ? $0.text.string : $0.label.string + ": " + $0.text.string }
    }

    private var download: RowSnapshot { RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/a") }

    @Test("Of a row that waits, and whose length is not known, no number of bytes is told")
    func noAmount() {
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([download]))
        let brief = DetailsContent(model: model, row: download).brief.map(\.text.string)
        #expect(brief == ["GET http://a/a"])
        #expect(!lines(of: .overview, download, RowDetails()).contains { $0.hasPrefix("Progress") })
        var row = download
        (row.state, row.received) = (.running, 1_000)
        let shown = SizeText.short(1_000, units: model.units).string
        #expect(lines(of: .overview, row, RowDetails()).contains { $0.hasPrefix("Progress: " + shown) })
    }

    @Test("A file that is complete needs no going on, and has no reason for or against it")
    func complete() {
        var row = download
        (row.state, row.received, row.expected, row.continuation) = (.done, 10, 10, .unknown)
        var details = RowDetails()
        details.resumeReason = "the server has not said whether it continues files"
        #expect(lines(of: .resume, row, details) == ["Resumable: \(DetailsLabels.notNeeded)"])
        row.state = .failed
        #expect(lines(of: .resume, row, details).first == "Resumable: unknown")
    }

    @Test(
        "A failure that another try meets again says what the form takes against it",
        arguments: [
            (401 as Int?, Cause.http, DetailsHints.edit("e", with: "user=name:password")),
            (407, .http, DetailsHints.edit("e", with: "proxy-user=name:password")),
            (nil, .certificate, DetailsHints.edit("e", with: "cacert=file")), (404, .http, DetailsHints.edit("e")),
        ])
    func wayOut(status: Int?, cause: Cause, hint: SafeText) {
        var row = download
        (row.state, row.statusCode, row.cause, row.error) = (.failed, status, cause, "No")
        let text = lines(of: .overview, row, RowDetails()).joined(separator: " ")
        #expect(text.contains("Next: r retry · \(hint) State:"), "\(text)")
    }

    @Test("The wait for a slot is the first step, and a transfer that only waited shows just that")
    func queue() {
        var details = RowDetails()
        #expect(lines(of: .timing, download, details) == [DetailsLabels.noTiming.string])
        details.queued = 0
        #expect(lines(of: .timing, download, details) == ["Phase timing (ms)", "queue:      0 ▏"])
        details.queued = 40
        details.nameLookup = 10
        details.firstByte = 20
        details.total = 90
        #expect(
            lines(of: .timing, download, details) == [
                "Phase timing (ms)", "queue:     40 █████████████▋", "dns:     10 ███▍", "wait:     10 ███▍",
                "body:     70 ████████████████████████", "total:     90",
            ])
    }

    @Test("While a transfer runs its body takes as long as it has taken so far, not as long as when its head came")
    func runningBody() {
        var row = download
        row.state = .running
        row.startedAt = 50
        var details = RowDetails()
        details.attemptStartedAt = 400
        details.firstByte = 100
        details.total = 60
        let running = ["body:    500 ████████████████████████", "total:    600"]
        #expect(lines(of: .timing, row, details).suffix(2) == running)
        row.resumedAt = 1
        #expect(lines(of: .timing, row, details).suffix(2) == running, "One that goes on has its own start")
        details.earlierAttempts = [300]
        #expect(
            lines(of: .timing, row, details).suffix(2) == [
                "attempt 1:    300 ████████████", "attempt 2:    600 ████████████████████████",
            ])
        row.state = .paused
        details.total = 160
        #expect(lines(of: .timing, row, details).contains("total:    160"), "A pause stops the count")
    }

    @Test("The average is that of the latest attempt: neither earlier bytes nor a pause count")
    func average() throws {
        var row = download
        row.startedAt = 0
        row.state = .paused
        row.resumedAt = 1 << 20
        row.received = 5 << 20
        row.expected = 8 << 20
        var details = RowDetails()
        details.total = 2000
        let progress = try #require(lines(of: .overview, row, details).first { $0.hasPrefix("Progress: ") })
        #expect(progress.contains("average 2.0M/s"), "\(progress)")
        // The latest attempt may be one of several connections.
        (row.state, row.endedAt, row.received) = (.done, 8_000, 8 << 20)
        let ended = try #require(lines(of: .overview, row, details).first { $0.hasPrefix("Progress: ") })
        #expect(ended.contains("average 896K/s · 8.00s"), "\(ended)")
    }

    @Test("An attempt without an answer has a total and no body, whether it is under way or has failed")
    func unanswered() {
        var row = download
        row.state = .running
        var details = RowDetails()
        details.attemptStartedAt = 400
        #expect(lines(of: .timing, row, details) == [DetailsLabels.noTiming.string, "total:    600"])
        row.state = .retrying
        details.attemptStartedAt = nil
        details.connect = 5
        details.total = 70
        #expect(
            lines(of: .timing, row, details) == [
                "Phase timing (ms)", "connect:      5 ████████████████████████", "total:     70",
            ])
    }

    @Test(
        "A transfer in trouble says what comes next in every state",
        arguments: [
            (RowState.running, DetailsHints.attemptRunning(2)), (.queued, DetailsHints.queuedForRetry),
            (.paused, DetailsHints.resume("r")), (.failed, "r retry · e edit and retry"),
        ])
    func nextStep(state: RowState, hint: SafeText) {
        var row = download
        row.state = state
        row.failedAttempts = 1
        row.error = "The connection was lost"
        #expect(lines(of: .overview, row, RowDetails()).contains("Next: \(hint)"))
    }

    @Test("A task that never started because another one failed tells no attempts")
    func notStarted() {
        var row = download
        (row.state, row.error, row.cause) = (.failed, "Not started, because \"a\" failed", .predecessor)
        #expect(!lines(of: .overview, row, RowDetails()).contains { $0.contains(DetailsLines.attempts(1).string) })
        row.cause = .truncated
        #expect(lines(of: .overview, row, RowDetails()).contains { $0.contains(DetailsLines.attempts(1).string) })
    }

    @Test("A good status is not the reason of a failure, and is not shown as one", arguments: [200, 206, 302])
    func goodStatus(code: Int) {
        var row = download
        row.state = .failed
        row.statusCode = code
        row.error = "The disk is full"
        #expect(Model().timeText(of: row.figures) == "-")
        row.statusCode = 404
        #expect(Model().timeText(of: row.figures) == "404")
    }

    @Test("A task that kept bytes says what its next try does with them", arguments: [RowState.failed, .cancelled])
    func keptBytes(state: RowState) {
        var row = download
        row.state = state
        row.received = 5
        row.error = "The connection was lost"
        #expect(lines(of: .overview, row, RowDetails()).contains("Next: r restart · e edit and retry"))
    }

    @Test("An answer that is tried again by itself is not said to be tried once", arguments: [408, 425, 429, 503])
    func repeatedAnswers(code: Int) {
        var row = download
        row.state = .failed
        row.failedAttempts = 1
        row.statusCode = code
        row.error = "The server said no"
        #expect(lines(of: .overview, row, RowDetails()).contains("Tried: \(DetailsLines.attempts(1))"))
    }

    @Test(
        "Retries are the attempts after the first, of those that are allowed",
        arguments: [
            (RowState.failed, 6, "5 of 5"), (.failed, 1, "0 of 5"), (.failed, 0, "0 of 5"), (.retrying, 2, "2 of 5"),
            (.running, 1, "1 of 5"), (.running, 0, "0 of 5"),
        ])
    func retries(state: RowState, failedAttempts: Int32, count: String) {
        var row = download
        row.state = state
        row.failedAttempts = failedAttempts
        #expect(lines(of: .overview, row, RowDetails()).contains { $0.hasPrefix("Retries: \(count) ·") })
    }

    @Test("Attempts that received bytes are counted without the limit of consecutive failures")
    func retriesBetweenBytes() {
        var row = download
        row.state = .failed
        row.failedAttempts = 1
        row.error = "The connection was lost"
        var details = RowDetails()
        details.earlierAttempts = [4, 5]
        let lines = lines(of: .overview, row, details)
        #expect(lines.contains("Tried: \(DetailsLines.attempts(3))"))
        #expect(lines.contains { $0.hasPrefix("Retries: 2 ·") })
    }

    @Test("Bars and curves are ASCII where the characters are, and halves where the font has no more")
    func plainBars() {
        var capabilities = ViewCapabilities()
        capabilities.hasEighths = false
        #expect(TextRun("█▍▋▁", capabilities: capabilities).text == "█▌█▁")
        capabilities.glyphs = .ascii
        capabilities.showsUnicode = false
        #expect(TextRun("█▏▎▍▌▋▊▉ ▁▂▃▄▅▆▇", capabilities: capabilities).text.allSatisfy { $0.isASCII && $0 != "?" })
    }

    @Test("Long messages are broken between words, and words where they must be")
    func wrapping() {
        let canvas = Canvas(size: Size(columns: 20, rows: 5), capabilities: ViewCapabilities())
        let text: SafeText = "one two 日本語日本語 three"
        #expect(text.wrapped(7, in: canvas).map(\.string) == ["one two", "日本語", "日本語", "three"])
        #expect(text.wrapped(40, in: canvas) == [text])
        #expect(SafeText.empty.wrapped(3, in: canvas) == [""])
    }

    @Test("The hints of a dialog are dropped whole, and the way out never")
    func hints() {
        let canvas = Canvas(size: Size(columns: 80, rows: 5), capabilities: ViewCapabilities())
        var model = Model()
        _ = update(&model, .rows([RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")]))
        model.overlay = .question(.cancelling([1]))
        let hints = PanelHints(of: model)
        #expect(hints.text.string == "k Keep  d Delete  n/Esc No  Enter Choose")
        #expect(hints.fitting(39, in: canvas).string == "k Keep  d Delete  n/Esc No")
        #expect(hints.fitting(20, in: canvas).string == "k Keep  n/Esc No")
        #expect(hints.fitting(3, in: canvas).string == "n/Esc No")
    }

    @Test("Each attempt has a bar as soon as there is more than one")
    func attempts() {
        var details = RowDetails()
        details.total = 30
        #expect(!lines(of: .timing, download, details).contains("Attempts (ms)"))
        details.earlierAttempts = [60, 20]
        #expect(
            lines(of: .timing, download, details).drop { $0 != "Attempts (ms)" } == [
                "Attempts (ms)", "attempt 1:     60 ████████████████████████", "attempt 2:     20 ████████",
                "attempt 3:     30 ████████████",
            ])
    }

    @Test("The resume part of an upload says what arrived, what the server confirmed and whether it can be sent again")
    func uploadResume() {
        var row = RowSnapshot(id: 1, kind: .upload, name: "a", url: "http://a/a")
        row.sent = 1536
        row.expected = 4096
        var details = RowDetails()
        details.resumeReason = "it starts again"
        details.uploadSource = "a file"
        details.uploadRepetition = "yes, from the start"
        #expect(
            lines(of: .resume, row, details) == [
                "Resumable: no, restarts from zero", "Reason: it starts again", "Arrived: 1.5 KiB of 4.0 KiB",
                "Offset: \(DetailsLabels.noOffset)", "Body: a file",
                "Send again: yes, from the start",
            ])
        details.earlierAnswers = [
            EarlierAnswer(statusLine: "104", url: "http://a/a", headers: [.init(name: "Upload-Offset", value: "1024")])
        ]
        #expect(lines(of: .resume, row, details).contains("Offset: \(DetailsLabels.confirmed("1.0 KiB"))"))
        details.responseHeaders = [.init(name: "upload-offset", value: "-7")]
        #expect(lines(of: .resume, row, details).contains("Offset: \(DetailsLabels.noOffset)"))
    }
}
