import CCurl
import LoopbackServer
import Testing

@testable import SessionCore

/// What a peer does wrong is told from what a network does: it has a kind of its own, and a bound where it repeats itself.
@Suite("Faults of a peer", .timeLimit(.minutes(1)))
struct EnginePeerFaultTests {
    private static let file = ServedResource(seed: 9, count: 10_000)
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"

    private let server: LoopbackServer
    private let harness: EngineHarness

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.maximumRetries = 1 }
    }

    @Test(
        "A head that an orderly end of the connection has cut is asked for again",
        arguments: [
            "H", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n",
        ])
    func cutHead(head: String) throws {
        server.setRoute("/file", .sequence([.raw(head), .resource(Self.file)]))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error == nil)
        #expect(server.requests(for: "/file").count == 2)
    }

    @Test("A head that is always cut ends as a connection that was lost, and the sentence says where")
    func alwaysCut() throws {
        server.setRoute("/file", .raw("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n"))
        let error = try #require(harness.outcome(of: harness.download(server.url("/file")))?.error)
        #expect(error.code == .connectionLost)
        #expect(error.message == TransportErrors.cutReply("127.0.0.1"))
    }

    /// What a server sends, the kind of error, and how often it is asked.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: String
        var code: SessionError.Code
        var requests = 1
        var testDescription: String { name }
    }

    private static let faults = [
        Fault(name: "field without a colon", bytes: "HTTP/1.1 200 OK\r\nrubbish\r\n\r\n", code: .badResponse),
        Fault(name: "trailer without a colon", bytes: chunked + "0\r\nrubbish\r\n\r\n", code: .badResponse),
        Fault(
            name: "trailers without end",
            bytes: chunked + "0\r\n" + String(repeating: "X-Trailer: 1\r\n", count: 5_000), code: .badResponse),
        Fault(
            name: "a long trailer", bytes: chunked + "0\r\nX: " + String(repeating: "x", count: 9_000),
            code: .badResponse),
        Fault(name: "no number of a chunk", bytes: chunked + "zz\r\nabc\r\n", code: .truncated, requests: 2),
        Fault(name: "a chunk's end", bytes: chunked + "3\r\nabcabc\r\n0\r\n\r\n", code: .truncated, requests: 2),
        Fault(
            name: "interim answers without end",
            bytes: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 500), code: .badResponse),
        Fault(name: "not HTTP", bytes: "SSH-2.0-OpenSSH_9.2\r\n", code: .badResponse),
    ]

    @Test("What breaks the rules has a kind of its own", arguments: faults)
    func kinds(fault: Fault) throws {
        server.setRoute("/file", .raw(fault.bytes))
        let error = try #require(harness.outcome(of: harness.download(server.url("/file")))?.error)
        #expect(error.code == fault.code, "\(error.message)")
        #expect(server.requests(for: "/file").count == fault.requests)
    }

    @Test("The protocol's name may have small letters")
    func smallLetters() throws {
        server.setRoute("/file", .raw("http/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))
        let id = harness.download(server.url("/file"))
        #expect(try #require(harness.outcome(of: id)).error == nil)
    }

    @Test(
        "libcurl's words tell what its code does not",
        arguments: [
            ("CONNECT response too large!", .badResponse),
            ("Too large response headers: 307257 > 307200", .badResponse),
            ("Illegal or missing hexadecimal sequence in chunked-encoding", .truncated),
            ("Out of memory in chunked-encoding", .badResponse),
            ("Recv failure: Connection reset by peer", .connectionLost), ("", .connectionLost),
        ] as [(String, SessionError.Code)])
    func words(words: String, code: SessionError.Code) {
        let error = CurlFailure.error(CURLE_RECV_ERROR, url: "http://h/", host: "h", systemError: 0, words: words)
        #expect(error.code == code)
    }

    @Test("Every result of libcurl that a peer can cause is none of this program's own faults")
    func results() {
        for raw in Self.peers {
            let error = CurlFailure.error(CURLcode(rawValue: raw), url: "http://h/", host: "h", systemError: 0)
            #expect(error.code != .internal, "\(raw)")
        }
    }

    /// Results of HTTP and TLS that follow from what a peer sends.
    private static let peers: Set<UInt32> = [
        1, 5, 6, 7, 8, 9, 16, 18, 22, 28, 33, 35, 43, 52, 55, 56, 59, 60, 61, 63, 65, 67, 80, 83, 88, 90, 91, 92, 94,
        98,
    ]

    @Test("What comes beside a body is bounded by the body, and by nothing while it is little")
    func framing() {
        var watch = FramingWatch()
        let arrived: [(arrived: Int64, delivered: Int64, isExcessive: Bool)] = [
            (5_000_000, 1_000, false), (60 << 20, 2_000, false), (80 << 20, 3_000, true), (80 << 20, 2 << 20, false),
            (1 << 30, 1 << 30, false),
        ]
        for look in arrived {
            #expect(
                watch.isExcessive(arrived: look.arrived, delivered: look.delivered) == look.isExcessive,
                "\(look.arrived)")
        }
    }
}
