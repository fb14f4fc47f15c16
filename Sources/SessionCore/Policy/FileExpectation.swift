/// What is known of a file before an answer brings it: what an earlier answer said, how much is here, and its name.
///
/// A captive portal, a server one has to sign in to, and a broken gateway answer with status 200 and something else than the
/// file. Nothing of HTTP tells that, so an answer that contradicts what is known is not taken for the file.
struct FileExpectation: Sendable {
    /// What the answer said that brought the bytes at hand, or that began an earlier run; nil when there was none.
    var known: DownloadEvidence?
    /// Bytes at hand.
    var partSize: Int64 = 0
    /// The name the user gave the file, where it has an ending, else its URL; both may tell what it is.
    var name = ""

    /// Why a whole answer is not taken for the file; nil when nothing speaks against it.
    func refusal(of head: ResponseHead, length: BodyLength) -> SessionError? {
        guard let what = contradiction(head, length: length) else { return nil }
        var message = "\(what) instead of the file, perhaps to sign in; sign in where that is needed and try again"
        if partSize > 0 {
            message += ", or download the file anew without its part"
        } else if known == nil {
            message += ", or save the page under a name that ends with .html"
        }
        return ResumePolicy.error(.unexpectedContent, message, head)
    }

    /// So many bytes a body without a length must have to be taken for the file; 0 when any number will do.
    func leastLength(of head: ResponseHead, length: BodyLength) -> Int64 {
        length.byteCount == nil && !provesItself(head) ? partSize : 0
    }

    /// Why a body that turned out short is not taken for the file.
    static func shortBody(_ received: Int64) -> SessionError {
        SessionError(
            .unexpectedContent,
            "Only \(received) bytes came instead of the file, fewer than were here; try again,"
                + " or download the file anew without its part")
    }

    private func contradiction(_ head: ResponseHead, length: BodyLength) -> String? {
        // Nearly every answer is the first one, of which only a page can be told.
        guard known != nil || ContentKind.isPage(head.headers["Content-Type"]) else { return nil }
        let type = head.headers["Content-Type"]
        let came = ContentKind(type)
        let was = known.map { ContentKind($0.contentType) }
        switch came {
        case .page where isNoPage(was, head): return "A web page came"
        case .text where was == .binary:
            return "Something of the type \(StoredFacts.mediaType(type) ?? "") came"
        case .page, .text, .binary, .unknown: break
        }
        guard partSize > 0, let count = length.byteCount, count < partSize, !provesItself(head) else { return nil }
        return "Only \(count) bytes came"
    }

    /// Whether what is known of the file says that it is no page.
    private func isNoPage(_ was: ContentKind?, _ head: ResponseHead) -> Bool {
        switch was {
        case .page: false
        case .text, .binary: true
        // A type was sent that says nothing, and it was not that of a page.
        case .unknown where known?.contentType != nil: true
        case .unknown, nil: ContentKind.isBinary(name: name) && head.headers["Content-Disposition"] == nil
        }
    }

    /// Whether an answer tells more of itself than that it came: a validator, or the very type the file had.
    private func provesItself(_ head: ResponseHead) -> Bool {
        if head.headers["ETag"] != nil || head.headers["Last-Modified"] != nil { return true }
        guard let type = StoredFacts.mediaType(head.headers["Content-Type"]), ContentKind(type) != .unknown else {
            return false
        }
        return type == StoredFacts.mediaType(known?.contentType)
    }
}
