import Foundation
import Testing

@testable import SessionCore

/// What a call that waits makes of a response.
@Suite("Response formats", .timeLimit(.minutes(1)))
struct ResponseFormatTests {
    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    private func fixture(_ body: String, type: String? = "application/json", status: Int = 200) -> ManagerFixture {
        ManagerFixture { _ in .ok(body, type: type, status: status) }
    }

    @Test("A body is left as it is where nobody has asked for anything else, whatever its type")
    func plainData() async throws {
        let fixture = fixture("<html>", type: "text/html")
        let completion = try await fixture.manager.data(for: fixture.request)
        #expect(completion.object as? Data == Data("<html>".utf8))
        let upload = try await fixture.manager.upload(for: fixture.request, from: nil)
        #expect(upload.data == Data("<html>".utf8))
        // Factories stay the original's.
        #expect(fixture.manager.responseSerializer is JSONResponseSerializer)
        fixture.manager.responseSerializer = JSONResponseSerializer()
        await #expect(throws: ResponseSerializationError.self) { try await fixture.manager.data(for: fixture.request) }
    }

    @Test("An unacceptable status is thrown with the response and its body")
    func status() async throws {
        let fixture = fixture("gone", type: "text/plain", status: 404)
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await fixture.manager.data(for: fixture.request)
        }
        #expect(error?.reason == .unacceptableStatusCode(404) && error?.head?.statusCode == 404)
        #expect(error?.data == Data("gone".utf8))
    }

    @Test("Each format gives its own type")
    func formats() async throws {
        let json = fixture(#"{"name":"a","none":null}"#)
        let manager = json.manager
        let object = try await manager.data(for: json.request, as: .json)
        #expect((object as? [String: any Sendable])?["none"] is NSNull)
        let withoutNulls = ResponseFormat<(any Sendable)?>(JSONResponseSerializer(removesNullValues: true)) {
            .some($0)
        }
        let bare = try await manager.data(for: json.request, as: withoutNulls)
        #expect((bare as? [String: any Sendable])?.count == 1)
        #expect(try await manager.data(for: json.request, as: .data).count == 24)
        #expect(try await manager.data(for: json.request, as: .string) == #"{"name":"a","none":null}"#)
        #expect(try await manager.data(for: json.request, as: .decodable(User.self)) == User(name: "a"))
        #expect(try await manager.decode(User.self, for: json.request) == User(name: "a"))
        #expect(try await manager.upload(for: json.request, from: nil, as: .decodable(User.self)) == User(name: "a"))
        let empty = fixture("")
        #expect(try await empty.manager.data(for: empty.request, as: .json) == nil)
        #expect(try await empty.manager.data(for: empty.request, as: .propertyList) == nil)
        let response = try await manager.response(for: json.request, as: .decodable(User.self))
        #expect(response.value == User(name: "a") && response.completion.head?.statusCode == 200)
    }

    @Test("A format counts for its call alone, whatever the manager's serializer is at its end")
    func capturedAtCreation() async throws {
        let fixture = ManagerFixture()
        async let value = fixture.manager.data(for: fixture.request, as: .string)
        let task = await waitForTask(fixture)
        fixture.manager.responseSerializer = JSONResponseSerializer()
        fixture.engine.complete(task) { end in end = .ok("text", type: "text/html") }
        #expect(try await value == "text")
    }

    /// Waits until the engine knows the task, without which it has nothing to end.
    private func waitForTask(_ fixture: ManagerFixture) async -> SessionTask {
        while true {
            if let task = fixture.manager.tasks.first, fixture.engine.description(of: task) != nil { return task }
            await Task.yield()
        }
    }

    @Test("Any decoder decodes; what it throws lies under an error with the response and the body")
    func decoders() async throws {
        struct Own: ResponseDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                guard let value = String(decoding: data, as: UTF8.self) as? Value else {
                    throw CocoaError(.coderInvalidValue)
                }
                return value
            }
        }
        let text = fixture("anything")
        #expect(try await text.manager.decode(String.self, for: text.request, decoder: Own()) == "anything")
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await text.manager.decode(User.self, for: text.request)
        }
        guard case .malformedBody? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.underlying is DecodingError && error?.data == Data("anything".utf8))
        let list = try PropertyListEncoder().encode(User(name: "p"))
        let serializer = DecodableResponseSerializer(User.self, decoder: PropertyListDecoder())
        #expect(serializer.serialize(head: nil, data: list).object as? User == User(name: "p"))
    }

    @Test("An empty body is nil for a type that has it, and an error for every other")
    func emptyBody() async throws {
        let empty = fixture("", status: 204)
        #expect(try await empty.manager.decode(User?.self, for: empty.request) == nil)
        await #expect(throws: ResponseSerializationError.self) {
            try await empty.manager.decode(User.self, for: empty.request)
        }
    }

    @Test("A body of an unacceptable status is not decoded, and the error has it")
    func failedStatus() async throws {
        let failed = fixture(#"{"name":"a"}"#, status: 500)
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await failed.manager.decode(User.self, for: failed.request)
        }
        #expect(error?.reason == .unacceptableStatusCode(500) && error?.data.isEmpty == false)
        // What a service says of its failure is often of a type of its own.
        #expect(error?.statusCode == 500)
        #expect(try error?.decode(User.self).name == "a")
        #expect(throws: DecodingError.self) { try error?.decode([User].self) }
    }

    @Test("A web page in the place of a value is called one")
    func webPage() async throws {
        let page = fixture("<html>", type: "text/html")
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await page.manager.decode(User.self, for: page.request)
        }
        #expect(error?.description.contains("web page (text/html)") == true)
    }

    @Test("JSON that lies too deep is an error, not an end", arguments: [10_000, 1_000_000])
    func deepJSON(_ depth: Int) async throws {
        let deep = fixture(String(repeating: "[", count: depth))
        await #expect(throws: ResponseSerializationError.self) {
            try await deep.manager.data(for: deep.request, as: .json)
        }
        await #expect(throws: ResponseSerializationError.self) {
            try await deep.manager.decode([Int].self, for: deep.request)
        }
    }

    @Test(
        "Texts are read in the encoding that their type names, and in no other",
        arguments: [
            ("text/plain; charset=ISO-8859-1", [0xFC], "ü"), ("text/plain", [0xC3, 0xBC], "ü"),
            ("text/plain; CHARSET=\"utf-8\"", [0xC3, 0xBC], "ü"), ("text/plain; charset=utf-8", [0xFC], nil),
            ("text/plain; charset=klingon", [0x61], nil), ("text/plain; charset=us-ascii", [0xFC], nil),
            ("text/plain; charset=utf-16le", [0xFC, 0], "ü"),
        ] as [(String, [UInt8], String?)])
    func charsets(_ type: String, _ bytes: [UInt8], _ text: String?) {
        let head = ResponseHead(statusCode: 200, headers: ["Content-Type": type])
        let result = StringResponseSerializer().serialize(head: head, data: Data(bytes))
        #expect(result.object as? String == text)
        #expect((result.error == nil) == (text != nil))
    }

    private struct Refused: Error {}

    /// Tells when it is released.
    private final class Witness: Sendable {
        let released: EventLog<Bool>

        init(_ released: EventLog<Bool>) { self.released = released }

        deinit { released.add(true) }
    }

    @Test("A check is released when its task has ended, though task and completion are kept")
    func releasedCheck() async throws {
        let (fixture, released) = (fixture("[1]"), EventLog<Bool>())
        func make() throws -> SessionTask {
            let witness = Witness(released)
            return try fixture.manager.dataTask(
                with: fixture.request, options: TaskOptions(validate: { _, _ in _ = witness }), completionHandler: nil)
        }
        let task = try make()
        task.resume()
        let completion = await task.completion()
        #expect(await released.wait(count: 1) == [true])
        #expect(completion.error == nil && completion.serializer is JSONResponseSerializer)
        #expect(task.state == .completed && task.responseSerializer == nil)
    }

    @Test("A check of one call refuses its response; the error has response and body, and the object stays")
    func validate() async throws {
        let json = fixture(#"{"name":"a"}"#)
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await json.manager.data(
                for: json.request, as: .decodable(User.self),
                options: TaskOptions(validate: { head, data in
                    guard head.headers["X-Signature"] != nil, !data.isEmpty else { throw Refused() }
                }))
        }
        guard case .refused? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.underlying is Refused && error?.head?.statusCode == 200 && error?.data.count == 12)
        let task = try json.manager.dataTask(
            with: json.request, options: TaskOptions(validate: { _, _ in throw Refused() }), completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error != nil && completion.object != nil)
        let fine = try await json.manager.data(for: json.request, options: TaskOptions(validate: { _, _ in }))
        #expect(fine.error == nil)
    }

    @Test("A serializer of a program's own validates as the library's do")
    func ownSerializer() {
        struct Count: ResponseSerializer {
            func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
                let verdict = ResponseValidation(contentTypes: ["text/own"]).validate(head, data)
                return SerializedResponse(object: verdict.isFailure ? nil : data.count, error: verdict.error)
            }
        }
        let head = ResponseHead(statusCode: 200, headers: ["Content-Type": "text/own"])
        #expect(Count().serialize(head: head, data: Data([1])).object as? Int == 1)
        let wrong = ResponseHead(statusCode: 200, headers: ["Content-Type": "text/html"])
        #expect(Count().serialize(head: wrong, data: Data([1])).error is ResponseSerializationError)
        #expect(Count().validating { _, _ in throw Refused() }.serialize(head: head, data: Data()).error != nil)
    }

    @Test("An object of another type than was asked for is an error")
    func unexpectedObject() async throws {
        let text = fixture("x", type: "text/plain")
        let format = ResponseFormat<Int>(DataResponseSerializer())
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await text.manager.data(for: text.request, as: format)
        }
        #expect(error?.reason == .unexpectedObject("Data"))
    }

    @Test("K19: the first serializer that makes an object wins; without one the body is the object")
    func compound() throws {
        let compound = CompoundResponseSerializer([JSONResponseSerializer(), PropertyListResponseSerializer()])
        let json = ResponseHead(statusCode: 404, headers: ["Content-Type": "application/json"])
        let first = compound.serialize(head: json, data: Data("[1]".utf8))
        #expect((first.object as? [any Sendable])?.count == 1)
        #expect((first.error as? ResponseSerializationError)?.reason == .unacceptableStatusCode(404))
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
        let type = ResponseHead(statusCode: 200, headers: ["Content-Type": "application/x-plist"])
        #expect(compound.serialize(head: type, data: list).object is [String: any Sendable])
        let html = ResponseHead(statusCode: 500, headers: ["Content-Type": "text/html"])
        let none = compound.serialize(head: html, data: Data("x".utf8))
        #expect(none.object as? Data == Data("x".utf8))
        #expect((none.error as? ResponseSerializationError)?.reason == .unacceptableStatusCode(500))
        #expect(compound.isQuick(byteCount: 0) && !compound.isQuick(byteCount: 1))
    }

    @Test("K01 K06 K09 K15: what is no HTTP response is not checked, and a status needs no URL")
    func withoutHead() {
        #expect(ResponseValidation().validate(nil, Data([1])).error == nil)
        #expect(ResponseValidation().validate(ResponseHead(statusCode: 404), Data()).error != nil)
        #expect(JSONResponseSerializer().serialize(head: nil, data: Data("[]".utf8)).error == nil)
    }

    @Test("A text that is none keeps its error under that of the status, as every other malformed body does")
    func malformedTextUnderTheStatus() throws {
        let head = ResponseHead(statusCode: 500, url: "http://127.0.0.1/x")
        let result = StringResponseSerializer().serialize(head: head, data: Data([0xFF, 0xFE, 0xFD]))
        let error = try #require(result.error as? ResponseSerializationError)
        #expect(error.reason == .unacceptableStatusCode(500) && result.object == nil)
        let underlying = try #require(error.underlying as? ResponseSerializationError)
        guard case .malformedBody = underlying.reason else { return #expect(Bool(false), "\(underlying)") }
    }
}
