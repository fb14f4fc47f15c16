import Foundation
import SessionCore

/// What calls that wait cost beside their task: an interceptor, and JSON as an object.
enum CallBench {
    private static let calls = 20_000
    private static let rounds = 9

    static func run() async throws -> [Figure] {
        [
            Figure("an interceptor of a call that waits", try await interceptor(), limit: 1, unit: "µs of CPU time"),
            Figure("JSON of 10 MB, beside `JSONSerialization` alone", try json(), limit: 1.1, unit: "times its CPU time"),
        ]
    }

    /// An interceptor that looks at each request and changes none, so that it is its own cost that is measured.
    private struct Onlooker: RequestInterceptor {
        func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest { request }
    }

    /// The CPU time of one interceptor, in microseconds: rounds with and without it in turns, of each kind the best.
    private static func interceptor() async throws -> Double {
        var (without, with) = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            without = min(without, try await round(interceptors: []))
            with = min(with, try await round(interceptors: [Onlooker()]))
        }
        return max(0, with - without) / Double(calls) * 1_000_000
    }

    private static func round(interceptors: [any RequestInterceptor]) async throws -> Double {
        let manager = SessionManager()
        manager.postsNotifications = false
        manager.responseCache = AnswerEverything()
        manager.interceptors = interceptors
        var request = TransferRequest(url: "http://127.0.0.1/")
        request.cachePolicy = .returnCacheDataElseLoad
        let before = Usage.now()
        for _ in 0..<calls { _ = try await manager.data(for: request) }
        return (Usage.now() - before).processor
    }

    /// How many times as long the serializer takes as Foundation's parser, at best.
    private static func json() throws -> Double {
        let data = document(of: 10_000_000)
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Type": "application/json"], url: "http://127.0.0.1/")
        let serializer = JSONResponseSerializer()
        var (alone, ours) = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            alone = min(alone, try time { _ = try JSONSerialization.jsonObject(with: data) })
            ours = min(ours, time { precondition(serializer.serialize(head: head, data: data).object != nil) })
        }
        return ours / alone
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let before = Usage.now()
        try work()
        return (Usage.now() - before).processor
    }

    /// Objects of texts, numbers, lists and nulls, as services send them.
    private static func document(of size: Int) -> Data {
        let row = #"{"id":12345,"name":"Somebody","tags":["a","b"],"place":{"x":1.5,"y":null,"is":true},"text":"Words"}"#
        let count = size / (row.utf8.count + 1)
        return Data(("[" + Array(repeating: row, count: count).joined(separator: ",") + "]").utf8)
    }
}
