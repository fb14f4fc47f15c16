/// The answer that began a download, whose fields are read when somebody asks for them: what only a part needs to know is
/// never looked up for a small file, which has none.
struct FreshAnswer: ContinuationFacts, Sendable, Equatable {
    /// The URL that was asked for.
    let url: String
    let method: String
    let head: ResponseHead
    let length: Int64?

    /// The answer to a request, whose body ends as its length says.
    init(request: TransferRequest, head: ResponseHead, length: BodyLength) {
        url = request.url
        method = request.method
        self.head = head
        self.length = length.byteCount
    }

    var status: Int { head.statusCode }
    var entityTag: String? { head.headers.singleValue(named: "ETag").flatMap { EntityTag($0)?.text } }
    var lastModified: String? { head.headers["Last-Modified"] }
    var date: String? { head.headers["Date"] }
    var contentEncoding: String? { head.headers["Content-Encoding"] }
    var contentType: String? { head.headers["Content-Type"] }
    var acceptRanges: String? { head.headers["Accept-Ranges"] }
}
