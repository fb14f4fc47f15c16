import Testing
import TransferService
import TransferValues

@testable import netdash

@Suite("Lists of failed tasks", .timeLimit(.minutes(1)))
struct FailedListTests {
    private func jobs(_ list: String) throws -> [Job] {
        try InputListParser.jobs(in: Array(list.utf8), name: "l", defaults: Job(kind: .download, url: "")).get()
    }

    @Test(
        "A request with a body that a list cannot have becomes a comment, never another request",
        arguments: [
            .text("l1\nl2"), .text("{\"a\":1,\r\n\"b\":2}"), .text(" x"), .text("x "), .text("password=hush"),
            .formFile(path: "bd.txt"), .file(path: "a\nb"), .standardInput,
        ] as [Job.Body])
    func unwritableBodies(body: Job.Body) throws {
        let written = FailedList.text(of: [Job(kind: .data, url: "http://h/a", method: "PUT", body: body)])
        #expect(try jobs(written).isEmpty && written.hasPrefix("# ") && written.contains("body"), "\(written)")
        #expect(written.hasSuffix(": http://h/a\n") && !written.contains("hush"), "\(written)")
    }

    @Test(
        "A body of one line is read back",
        arguments: [.text("a=1"), .text(""), .text("a\tb"), .text("@f"), .file(path: "f")] as [Job.Body])
    func writableBodies(body: Job.Body) throws {
        let job = Job(kind: .data, url: "http://h/a", method: "PUT", body: body)
        #expect(try jobs(FailedList.text(of: [job])) == [job])
    }

    @Test(
        "A value of several lines begins no further line of the list",
        arguments: [JobOption.form: "a=1\nhttp://evil/", .jsonBody: "{\n}", .urlEncoded: "a=1\n2", .userAgent: "x "])
    func unwritableOptions(option: JobOption, text: String) throws {
        var job = Job(kind: .data, url: "http://h/a")
        job.options = [JobOption.Value(option, text)]
        let written = FailedList.text(of: [job])
        #expect(try jobs(written).isEmpty && written.contains("\(option.name)"), "\(written)")
    }

    @Test("A field without a value is read back as one")
    func emptyFields() throws {
        var job = Job(kind: .data, url: "http://h/a")
        job.headers = ["X-E": ""]
        #expect(try jobs(FailedList.text(of: [job])) == [job])
    }

    @Test("The header of a list has curl's three forms")
    func headersOfLists() throws {
        let job = try #require(try jobs("http://h/a\n  header=X-E;\n  header=Accept:\n  header=X-A: 1\n").first)
        #expect(job.headers.map { $0.name + "=" + $0.value } == ["X-E=", "X-A=1"])
        #expect(job.options == [JobOption.Value(.withoutHeader, "Accept")])
    }
}
