import SessionSupport

/// The line in front of a response on a stream that several share: `==> GET https://host/a: 200 <==`.
struct BodyTitle: Sendable {
    private let request: SafeText

    init(of job: Job) {
        request = SafeText(untrusted: job.sentMethod) + " " + SafeText(url: job.url)
    }

    /// The line with its line break.
    func line(_ head: ResponseHead) -> [UInt8] {
        Array(("==> " + request + ": " + SafeText(head.statusCode) + " <==\n").string.utf8)
    }
}
