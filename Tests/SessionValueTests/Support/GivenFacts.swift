@testable import SessionCore

/// Facts of an answer as a test gives them; nothing is special where it says nothing.
final class GivenFacts: AnswerFacts {
    var request = TransferRequest(url: "http://host/file")
    var original = TransferRequest(url: "http://host/file")
    var hostName = "host"
    var answered: Questions = []
    var redirects = RedirectPolicy.Context()
    var conditions = HeaderFields()
    var asksForContinue = false
    var mayRepeatBody = true
    var credentials = OriginCredentials()
    var ownCredentials: (RequestCredentials, OriginCredentials.Source)?
    var proxy: ProxyState?
    var outcome: ResumableUpload.Outcome?
    var takesEveryStatus = false
    var mayTryAgain = true
    var time: Int64 = 0
    var sizeLimit: Int64?
    var contiguousEnd: Int64 = 0
    var mayBeForeign = false
    var givenFile: GivenFile?
    var stream: StreamState?
    var range: RangeState?
    var block: BlockState?

    init(_ give: (GivenFacts) -> Void = { _ in }) { give(self) }

    func asks(_ question: Questions) -> Bool { answered.contains(question) }
    func cookies(for request: TransferRequest) -> String? { nil }
    func secured(_ url: String) -> String? { nil }
    func uploadOutcome(of head: ResponseHead) -> ResumableUpload.Outcome? { outcome }
    func mayTryAgain(after error: SessionError, delay: Int64?) -> Bool { mayTryAgain }
    var file: (any FileState)? { givenFile }
}

/// A file that is fetched for the first time, where a test says nothing else.
final class GivenFile: FileState {
    var copyAskedFor: ExistingCopy?
    var rangeMetadata: StoredMetadata?
    var contiguousEnd: Int64 = 0
    var hasChecksum = false
    var comparesOverlap = false
    var expectation = FileExpectation()
    var history = ResumeHistory()
    var said: FilePromise?
    var foreignLead: ForeignLead?

    init(_ give: (GivenFile) -> Void = { _ in }) { give(self) }
}

extension ResponseHead {
    /// An answer of a server as a test writes it down.
    static func given(_ status: Int, _ fields: HeaderFields = HeaderFields(), url: String = "http://host/file")
        -> ResponseHead
    {
        var head = ResponseHead(statusCode: status, url: url)
        for field in fields { head.headers.append(name: field.name, value: field.value) }
        return head
    }
}
