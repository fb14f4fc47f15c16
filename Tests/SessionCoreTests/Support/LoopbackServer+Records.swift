import LoopbackServer
import Testing

extension LoopbackServer {
    /// The requests for a path, once the server has written down how each ended.
    ///
    /// A client has the last byte of an answer before the server's thread has noted it.
    func ended(_ path: String) -> [RecordedRequest] {
        let areEnded = wait(timeoutMilliseconds: 30_000) { requests in
            requests.allSatisfy { $0.path != path || $0.outcome != .running }
        }
        #expect(areEnded, "a request for \(path) does not end")
        return requests(for: path)
    }
}
