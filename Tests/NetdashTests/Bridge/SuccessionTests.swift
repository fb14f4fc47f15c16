import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues

@Suite("What becomes of a row that is being stopped")
struct SuccessionTests {
    private static func change(_ name: String, isPaused: Bool = false, wasPaused: Bool = false) -> RowChange {
        var job = Job(kind: .download, url: "http://h/" + name)
        job.startsPaused = isPaused
        return RowChange(job: job, subject: .settings, wasPaused: wasPaused)
    }

    @Test("The line of the log says of an edited task that it begins again only where it does")
    func sentences() {
        #expect(Self.change("a").sentence == ServiceLines.edited)
        #expect(Self.change("a", isPaused: true, wasPaused: true).sentence == ServiceLines.editedPaused)
    }

    private static let failure = TransferFailure(kind: "http", category: .ordinary, message: "404")

    @Test(
        "The latest request counts",
        arguments: [
            (.cancel, nil, nil),
            (.cancel, .resumes(isPaused: false), nil),
            (.cancel, .becomes(change("a")), nil),
            (.resume, nil, .resumes(isPaused: false)),
            (.resume, .resumes(isPaused: true), .resumes(isPaused: false)),
            (.resume, .becomes(change("a", isPaused: true)), .becomes(change("a"))),
            (.pause, nil, nil),
            (.pause, .resumes(isPaused: false), .resumes(isPaused: true)),
            (.pause, .becomes(change("a")), .becomes(change("a", isPaused: true))),
            (.change(change("b")), nil, .becomes(change("b"))),
            (.change(change("b")), .resumes(isPaused: true), .becomes(change("b"))),
            (.change(change("b", wasPaused: true)), .becomes(change("a")), .becomes(change("b"))),
            (
                .change(change("b")), .becomes(change("a", wasPaused: true)),
                .becomes(change("b", wasPaused: true))
            ),
        ] as [(Succession.Request, Succession?, Succession?)])
    func requests(request: Succession.Request, current: Succession?, expected: Succession?) {
        #expect(Succession.after(request, current) == expected)
    }

    @Test("Settings that follow a new URL leave its part with it; a part that another file's URL has left stays behind")
    func part() {
        let url = RowChange(job: Job(kind: .download, url: "http://h/a"), subject: .url)
        guard case .becomes(let settings)? = Succession.after(.change(Self.change("a")), .becomes(url)),
            case .becomes(let other)? = Succession.after(.change(Self.change("b")), .becomes(url))
        else {
            Issue.record("The row stays as it is")
            return
        }
        #expect(settings.subject == .url && !settings.leavesPart && other.subject == .settings)
        var left = Self.change("b")
        left.leavesPart = true
        #expect(Succession.after(.change(url), .becomes(left))?.change?.leavesPart == true)
    }

    @Test(
        "A completed task stays as it is, and any other end leads to what was asked for",
        arguments: [
            (nil, .cancelled, .ends), (nil, .completed, .ends), (nil, nil, .ends),
            (.resumes(isPaused: true), .cancelled, .resumes(isPaused: true)),
            (.resumes(isPaused: false), .failed(failure), .resumes(isPaused: false)),
            (.resumes(isPaused: false), .completed, .ends), (.resumes(isPaused: false), nil, .ends),
            (.becomes(change("a")), .cancelled, .becomes(change("a"))),
            (.becomes(change("a")), .failed(failure), .becomes(change("a"))),
            (.becomes(change("a")), nil, .becomes(change("a"))),
            (.becomes(change("a")), .completed, .isTooLate(change("a"))),
            (.becomes(change("a")), .unfinished, .ends), (.resumes(isPaused: false), .unfinished, .ends),
        ] as [(Succession?, TransferResult?, Succession.Outcome)])
    func ends(current: Succession?, result: TransferResult?, expected: Succession.Outcome) {
        #expect(Succession.outcome(of: current, endedWith: result) == expected)
    }
}
