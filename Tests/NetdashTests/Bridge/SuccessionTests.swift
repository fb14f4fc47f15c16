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
