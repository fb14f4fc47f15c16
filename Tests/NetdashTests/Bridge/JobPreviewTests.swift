import SessionCore
import Testing

@testable import TransferService
@testable import netdash

@Suite("What a run would do, as a value")
struct JobPreviewTests {
    @Test(
        "An existing file decides by its policy, and a partial file resumes where nothing has the name",
        arguments: [
            (nil, Job.IfExists.rename, false, JobPreview.Action.download), (nil, .skip, true, .resume),
            (.file, .rename, true, .number), (.file, .skip, true, .skip), (.file, .same, false, .compare),
            (.file, .overwrite, true, .replace), (.file, .refresh, false, .refresh), (.file, .fail, false, .fail),
            (.obstacle, .overwrite, true, .fail),
        ] as [(DestinationInfo.Occupant?, Job.IfExists, Bool, JobPreview.Action)])
    func actions(
        occupant: DestinationInfo.Occupant?, policy: Job.IfExists, resumes: Bool, expected: JobPreview.Action
    ) {
        #expect(JobPreview.Action.of(occupant, policy, resumes: resumes) == expected)
    }

    @Test(
        "A server that refuses HEAD or hides the length is asked with GET, others are not",
        arguments: [
            (200, [:], true), (200, ["Content-Length": "5"], false), (404, [:], true), (405, [:], true),
            (401, [:], false), (429, [:], false), (503, [:], false),
        ] as [(Int, HeaderFields, Bool)])
    func repetition(status: Int, fields: HeaderFields, expected: Bool) {
        #expect(PreviewAnswer(head: ResponseHead(statusCode: status, headers: fields)).needsGet == expected)
    }

    @Test("The length is the complete file's, and an empty file is no failure")
    func lengths() {
        let range = PreviewAnswer(head: ResponseHead(statusCode: 206, headers: ["Content-Range": "bytes 0-0/77"]))
        #expect(range.length == 77 && range.problem == nil)
        let empty = PreviewAnswer(head: ResponseHead(statusCode: 416, headers: ["Content-Range": "bytes */0"]))
        #expect(empty.length == 0 && empty.problem == nil)
        let coded = PreviewAnswer(
            head: ResponseHead(statusCode: 200, headers: ["Content-Length": "9", "Content-Encoding": "gzip"]))
        #expect(coded.length == nil)
        #expect(PreviewAnswer(head: ResponseHead(statusCode: 404)).problem?.httpStatus == 404)
    }

    @Test("Servers may name any length: one that is no number of bytes is unknown, and the sum is a number")
    func largestLengths() {
        let least = PreviewAnswer(
            head: ResponseHead(statusCode: 416, headers: ["Content-Range": "bytes */\(Int64.min)"]))
        #expect(least.length == nil)
        var preview = JobPreview(Job(kind: .download, url: "http://h/f"), .download)
        preview.length = .max
        var sum = PreviewSum()
        for _ in 1...2 { sum.add(preview) }
        #expect(sum.bytes == .max && sum.transfers == 2)
    }
}
