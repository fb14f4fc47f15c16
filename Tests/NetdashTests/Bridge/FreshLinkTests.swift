import Testing

@testable import Dashboard
@testable import TransferService

/// The output of the command that replaces an expired link.
@Suite("Fresh links")
struct FreshLinkTests {
    private func link(_ text: String) throws -> FreshLink { try FreshLink(Array(text.utf8)) }

    @Test("A URL and header fields are read in any order")
    func lines() throws {
        let job = try link("X-Token: a b\r\n\nhttps://h.example/f?sig=1\nCookie:c=d\n").job(
            Job(kind: .download, url: "https://h.example/f"))
        #expect(job.url == "https://h.example/f?sig=1" && job.continues)
        #expect(job.headers["X-Token"] == "a b" && job.headers["Cookie"] == "c=d")
    }

    @Test(
        "Other output is refused",
        arguments: ["", "\n", "ftp://h/f", "file:///etc/passwd", "no link", "X Y: z", "A: \u{1B}"])
    func refused(text: String) {
        #expect(throws: ShellCommand.Failure.self) { try link(text) }
    }

    @Test(
        "An expiry is a status, or a 400 with the code of a storage service",
        arguments: [
            (401, "", true), (403, "", true), (410, "", true), (404, "", false), (400, "bad", false),
            (400, "<Code>ExpiredToken</Code>", true), (nil, "", false),
        ])
    func expiry(status: Int?, body: String, isExpiry: Bool) {
        #expect(FreshLink.isExpiry(status: status, body: Array(body.utf8)) == isExpiry)
    }
}
