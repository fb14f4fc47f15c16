import SessionSupport

/// The collections that a WebDAV server lacks for an upload, and the requests that make them.
///
/// The server answers 409 to a PUT below a missing collection (RFC 4918, 9.7.1), and to a MKCOL below one (9.3.1). The
/// nearest collection is tried first; after a 409 the one above it, and from the first that exists down again. Then the
/// upload is sent once more, whose 409 is the answer.
struct MissingCollections: Sendable, Equatable {
    /// The most collections above a resource that are tried.
    private static let limit = 100
    /// Statuses of MKCOL that mean that the collection exists, or that another request is making it.
    private static let present: Set<Int> = [405, 423]

    /// The URLs of the collections above the resource, the nearest one first.
    let collections: [String]
    /// The collection that is made next; nil for none.
    private var current: Int?
    private var isGoingDown = false
    /// True once the upload's own request follows for the last time.
    private var isDone = false

    /// Finds the collections above a URL; nil for a resource directly below the server's root.
    init?(above url: String) {
        let path = URLScan(url).path
        let end = URLScan(url).query.map { url.utf8.index(before: $0.lowerBound) } ?? path.upperBound
        let query = url[end...].prefix { $0 != "#" }
        var found: [String] = []
        var rest = url[path].trimmingSlashes()
        while found.count < Self.limit, let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash].trimmingSlashes()
            guard !rest.isEmpty else { break }
            found.append(url[..<rest.endIndex] + "/" + query)
        }
        guard !found.isEmpty else { return nil }
        collections = found
    }

    /// The URL of the collection that is made next; nil if the upload's own request follows.
    var url: String? { current.map { collections[$0] } }

    /// Returns the request that makes the next collection, with the upload's own fields of every request.
    func request(for original: TransferRequest) -> TransferRequest? {
        guard let url else { return nil }
        var request = original
        (request.method, request.url, request.body) = ("MKCOL", url, .none)
        request.headers = ResumableUpload.common(original.headers)
        return request
    }

    /// Begins after the server has answered 409 to the upload; false if that is the answer.
    mutating func begin() -> Bool {
        guard !isDone else { return false }
        (current, isGoingDown) = (0, false)
        return true
    }

    /// Decides about the response to a collection's request.
    mutating func judge(_ head: ResponseHead, original: TransferRequest) -> UploadOutcome {
        guard let current else { return .answer }
        let status = head.statusCode
        if (200..<300).contains(status) || Self.present.contains(status) { return goDown(from: current) }
        if status == 409 {
            // Another request may have changed the collections meanwhile.
            if isGoingDown { return goDown(from: 0) }
            if current + 1 < collections.count {
                self.current = current + 1
                return .next
            }
        }
        let error = refusal(head, of: collections[current])
        return RetryPolicy.isTransient(status: status, of: original) ? .later(error) : .fail(error)
    }

    private mutating func goDown(from index: Int) -> UploadOutcome {
        isGoingDown = true
        current = index > 0 ? index - 1 : nil
        isDone = current == nil
        return .next
    }

    private func refusal(_ head: ResponseHead, of collection: String) -> SessionError {
        let path = String(collection[URLScan(collection).path])
        return ResumePolicy.error(.http, ResponseErrors.collectionRefused(path, head.statusSentence), head)
    }
}

extension Substring {
    /// Returns the text without the slashes at its end.
    fileprivate func trimmingSlashes() -> Substring {
        let bytes = utf8
        let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }.map { bytes.index(after: $0) }
        return self[..<(end ?? startIndex)]
    }
}
