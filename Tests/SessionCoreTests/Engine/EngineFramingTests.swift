import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

/// What goes out on the wire when callers set fields that are the transport's own.
@Suite("Framing of requests on the wire", .timeLimit(.minutes(1)))
struct EngineFramingTests {
    private let server = LoopbackServer()

    init() throws {
        try server.start()
        server.setRoute("/put", .uploadSink())
        server.setRoute("/get", .respond(.text("hello")))
    }

    private func manager(_ change: (inout SessionConfiguration) -> Void = { _ in }) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 1
        change(&configuration)
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private func descriptor(_ text: String) throws -> OwnedDescriptor {
        let (reader, writer) = try BodyPipe.make()
        #expect(BodyPipe.write(ArraySlice(text.utf8), to: writer))
        return reader
    }

    private func put(_ body: BodySpecification, _ headers: HeaderFields) -> TransferRequest {
        TransferRequest(url: server.url("/put"), method: "PUT", headers: headers, body: body)
    }

    /// The error of the factory or of the task; nil for a success.
    private func run(_ request: TransferRequest, on manager: SessionManager? = nil) async -> SessionError? {
        do {
            let task = try (manager ?? self.manager()).dataTask(with: request, completionHandler: nil)
            task.resume()
            return await task.completion().error as? SessionError
        } catch {
            return error
        }
    }

    private func sent(_ path: String = "/put") throws -> RecordedRequest {
        try #require(server.requests(for: path).last)
    }

    // MARK: - Length

    @Test("A stream's announced length goes out alone, and so does that of data")
    func oneLength() async throws {
        let body = try descriptor("0123456789")
        #expect(await run(put(.descriptor(body.descriptor), ["content-LENGTH": "10"])) == nil)
        #expect(try sent().headers.values("Content-Length") == ["10"])
        #expect(try !sent().headers.contains("Transfer-Encoding"))
        #expect(try String(decoding: sent().bodyPrefix, as: UTF8.self) == "0123456789")
        #expect(await run(put(.bytes(Array("0123456789".utf8)), ["Content-Length": "10"])) == nil)
        #expect(try sent().headers.values("Content-Length") == ["10"])
        #expect(try sent().bodyIsComplete)
    }

    @Test(
        "Methods that mean a body say that there is none, and no other does",
        arguments: [("POST", ["0"]), ("PUT", ["0"]), ("PATCH", ["0"]), ("DELETE", []), ("GET", [])])
    func noBody(method: String, expected: [String]) async throws {
        #expect(await run(TransferRequest(url: server.url("/put"), method: method)) == nil)
        #expect(try sent().method == method)
        #expect(try sent().headers.values("Content-Length") == expected)
        #expect(try !sent().headers.contains("Transfer-Encoding") && !sent().headers.contains("Expect"))
        // The connection goes on.
        #expect(try sent().bodyByteCount == 0 && sent().bodyIsComplete)
    }

    @Test(
        "A length that is not the body's, or no length, is refused before anything is sent",
        arguments: ["10", "abc", "-1", "+3", "0x3", "1, 2", "", "3;", "99999999999999999999"])
    func wrongLength(length: String) async throws {
        let error = await run(put(.bytes([1, 2, 3]), ["Content-Length": length]))
        #expect(error?.code == .invalidHeader && error?.message.contains("Content-Length") == true)
        #expect(server.connectionCount == 0)
    }

    @Test("Two lengths that differ are refused, whatever the case of their names and wherever they come from")
    func twoLengths() async throws {
        var fields: HeaderFields = ["Content-Length": "3"]
        fields.append(name: "content-length", value: "4")
        #expect(await run(put(.bytes([1, 2, 3]), fields))?.code == .invalidHeader)
        let careless = manager { $0.additionalHeaders["CONTENT-length"] = "7" }
        #expect(await run(put(.bytes([1, 2, 3]), [:]), on: careless)?.code == .invalidHeader)
        #expect(await run(TransferRequest(url: server.url("/get")), on: careless)?.code == .invalidHeader)
        #expect(server.connectionCount == 0)
        fields["Content-Length"] = "3"
        fields.append(name: "content-length", value: "3")
        #expect(await run(put(.bytes([1, 2, 3]), fields)) == nil)
        #expect(try sent().headers.values("Content-Length") == ["3"])
    }

    @Test(
        "A stream that is shorter or longer than announced fails, and the connection is not used again",
        arguments: ["012345678", "0123456789a", ""])
    func wrongStream(text: String) async throws {
        let manager = manager()
        #expect(await run(TransferRequest(url: server.url("/get")), on: manager) == nil)
        let body = try descriptor(text)
        let error = await run(put(.descriptor(body.descriptor), ["Content-Length": "10"]), on: manager)
        #expect(error?.code == .bodyUnreadable && error?.message.contains("10") == true)
        #expect(await run(TransferRequest(url: server.url("/get")), on: manager) == nil)
        #expect(server.requests(for: "/put").allSatisfy { !$0.bodyIsComplete })
        #expect(server.requests(for: "/get").allSatisfy { $0.outcome != .broken })
    }

    @Test("An input stream with a length, as a multipart body has, is sent with it")
    func inputStream() async throws {
        let url = try #require(URL(string: server.url("/put")))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("300000", forHTTPHeaderField: "Content-Length")
        request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 300_000))
        let manager = manager()
        let task = try manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil)
        #expect(try sent().headers.values("Content-Length") == ["300000"] && sent().bodyByteCount == 300_000)
        #expect(try !sent().headers.contains("Transfer-Encoding"))
    }

    // MARK: - The other fields

    @Test(
        "What would change the message or the connection is refused before anything is sent",
        arguments: [
            ("Transfer-Encoding", "gzip, chunked"), ("transfer-encoding", "chunked"), ("Connection", "upgrade"),
            ("Connection", "Content-Length"), ("Connection", "close, Host"), ("Trailer", "X-Sum"),
            ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA"), ("TE", "gzip"),
            ("Expect", "200-ok"), ("Host", ""), ("Host", "a b"), ("Host", "a, b"), ("Host", "u@a"), ("Host", "a/b"),
            ("Host", "a:port"), ("Host", "a:70000"), ("Host", "[::1"),
        ])
    func refused(name: String, value: String) async throws {
        let error = await run(put(.bytes([1, 2, 3]), [name: value]))
        #expect(error?.code == .invalidHeader && error?.failingURL == server.url("/put"), "\(name): \(value)")
        #expect(server.connectionCount == 0)
    }

    @Test("A stream may say that it is chunked, which it is, and says it once")
    func chunked() async throws {
        let body = try descriptor("0123456789")
        #expect(await run(put(.descriptor(body.descriptor), ["transfer-encoding": "Chunked"])) == nil)
        #expect(try sent().headers.values("Transfer-Encoding") == ["chunked"])
        #expect(try !sent().headers.contains("Content-Length") && sent().bodyByteCount == 10)
        let both = try descriptor("0123456789")
        let fields: HeaderFields = ["Transfer-Encoding": "chunked", "Content-Length": "10"]
        #expect(await run(put(.descriptor(both.descriptor), fields))?.code == .invalidHeader)
    }

    @Test("A host of the caller's own goes out once and alone; a second one is refused")
    func host() async throws {
        var request = TransferRequest(url: server.url("/get"), headers: ["host": "example.org:8080"])
        #expect(await run(request) == nil)
        #expect(try sent("/get").headers.values("Host") == ["example.org:8080"])
        request.headers.append(name: "Host", value: "example.org:8080")
        #expect(await run(request)?.code == .invalidHeader)
        #expect(await run(TransferRequest(url: server.url("/get"), headers: ["Host": "[::1]:80"])) == nil)
    }

    @Test("What says what happens anyway is left out or goes once")
    func harmless() async throws {
        let fields: HeaderFields = [
            "Connection": "keep-alive", "Keep-Alive": "300", "Proxy-Connection": "keep-alive", "TE": "trailers",
        ]
        #expect(await run(TransferRequest(url: server.url("/get"), headers: fields)) == nil)
        for field in fields { #expect(try !sent("/get").headers.contains(field.name), "\(field.name)") }
        #expect(await run(TransferRequest(url: server.url("/get"), headers: ["connection": "Close"])) == nil)
        #expect(try sent("/get").headers.values("Connection") == ["close"])
        #expect(await run(TransferRequest(url: server.url("/get"), headers: ["Content-Length": "0"])) == nil)
        #expect(try sent("/get").headers.values("Content-Length") == ["0"])
    }

    @Test("The response to HEAD ends with its head, also if the request has a body", arguments: [false, true])
    func headWithBody(isRedirected: Bool) async throws {
        server.setRoute("/from", .redirect(to: "/sized", status: 307))
        server.setRoute("/sized", .respond(.text("the length of this is announced")))
        let url = server.url(isRedirected ? "/from" : "/sized")
        for body in [BodySpecification.bytes(Array("sent".utf8)), .none] {
            let request = TransferRequest(url: url, method: "HEAD", body: body)
            #expect(await run(request) == nil)
            #expect(try sent("/sized").method == "HEAD")
            #expect(try String(decoding: sent("/sized").bodyPrefix, as: UTF8.self) == (body == .none ? "" : "sent"))
        }
    }

    @Test("The server may be asked before the body is sent; nothing else may be expected")
    func expectation() async throws {
        #expect(await run(put(.bytes([1, 2, 3]), ["expect": "100-Continue"])) == nil)
        #expect(try sent().headers.values("Expect") == ["100-continue"] && sent().bodyIsComplete)
        let large = BodySpecification.bytes([UInt8](repeating: 1, count: 2 << 20))
        #expect(await run(put(large, ["Expect": ""])) == nil)
        #expect(try !sent().headers.contains("Expect") && sent().bodyIsComplete)
        let empty = TransferRequest(url: server.url("/get"), headers: ["Expect": "100-continue"])
        #expect(await run(empty) == nil)
        #expect(try !sent("/get").headers.contains("Expect"))
    }

    @Test("A blank value is sent as an empty field and never takes a field of the transport away")
    func blank() async throws {
        let fields: HeaderFields = ["Accept": " \t", "X-Empty": " "]
        #expect(await run(TransferRequest(url: server.url("/get"), headers: fields)) == nil)
        #expect(try sent("/get").headers.values("Accept") == [""] && sent("/get").headers.values("X-Empty") == [""])
    }
}
