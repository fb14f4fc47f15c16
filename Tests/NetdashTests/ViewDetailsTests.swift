import Testing

@testable import netdash

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

    @Test("The wait for a slot is the first step, and a transfer that only waited shows just that")
    func queue() {
        var details = RowDetails()
        #expect(lines(of: .timing, download, details) == ["No request was answered yet"])
        details.queued = 0
        #expect(lines(of: .timing, download, details) == ["Phase timing (ms)", "queue:      0 ▏"])
        details.queued = 40
        details.nameLookup = 10
        details.total = 90
        #expect(
            lines(of: .timing, download, details) == [
                "Phase timing (ms)", "queue:     40 ████████████", "dns:     10 ███",
                "body:     80 ████████████████████████", "total:     90",
            ])
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
                "Possible: no", "Because: it starts again", "Arrived: 1.5 KiB of 4.0 KiB",
                "Offset: none: the server has named none to go on from", "Body: a file",
                "Send again: yes, from the start",
            ])
        details.earlierAnswers = [
            EarlierAnswer(statusLine: "104", url: "http://a/a", headers: [.init(name: "Upload-Offset", value: "1024")])
        ]
        #expect(lines(of: .resume, row, details).contains("Offset: 1.0 KiB, named by the server"))
        details.responseHeaders = [.init(name: "upload-offset", value: "-7")]
        #expect(lines(of: .resume, row, details).contains("Offset: none: the server has named none to go on from"))
    }

    @Test("A row was added when the rows beside it in its millisecond were")
    func additions() {
        var moments = AdditionMoments()
        #expect(moments.moment(of: 7) == nil)
        for (id, time) in [(3, 100), (4, 100), (5, 100), (8, 120), (9, 130)] as [(UInt64, Int64)] {
            moments.note(id, at: time)
        }
        #expect(([2, 3, 5, 7, 8, 9, 12] as [UInt64]).map(moments.moment) == [nil, 100, 100, 100, 120, 130, 130])
    }
}
