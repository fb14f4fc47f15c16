import Testing

@testable import Dashboard
@testable import netdash

@Suite("Types of bodies")
struct BodyContentTypeTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json"

    @Test(
        "A form unless it is JSON, and nothing where there is no body of text",
        arguments: [
            (.data, .text("a=1"), form), (.data, .text(""), form), (.data, .text("{}"), json),
            (.data, .text("\n [1, {\"a\": null}]\n"), json), (.data, .text("{a: 1}"), form), (.data, .text("[1"), form),
            (.data, .text("5"), form), (.data, .text("\"x\""), form), (.data, .text("null"), form),
            (.upload, .text("{}"), json), (.upload, .text("x"), form),
            (.data, .file(path: "/a/B.JSON"), json), (.data, .file(path: "/a.json/b"), form),
            (.data, .standardInput, form), (.data, .none, nil),
            (.upload, .file(path: "a.json"), nil), (.upload, .standardInput, nil), (.download, .none, nil),
        ] as [(Job.Kind, Job.Body, String?)])
    func table(kind: Job.Kind, body: Job.Body, type: String?) {
        var job = Job(kind: kind, url: "http://h/", body: body)
        #expect(BodyContentType.implied(by: job) == type)
        job.headers = [Job.Header(name: "content-TYPE", value: "text/x")]
        #expect(BodyContentType.implied(by: job) == nil)
    }
}
