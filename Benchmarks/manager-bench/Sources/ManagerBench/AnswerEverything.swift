import Foundation
import SessionCore

/// A cache that has an answer to everything, so that a task passes through the whole manager and never sees the engine.
struct AnswerEverything: ResponseCache {
    let head = ResponseHead(
        statusCode: 200, headers: ["Content-Type": "application/octet-stream", "Content-Length": "2"],
        url: "http://127.0.0.1/")
    let data = Data("ok".utf8)

    func store(_ response: CachedResponse) {}

    func response(for request: TransferRequest) -> CachedResponse? {
        CachedResponse(request: request, head: head, data: data)
    }
}
