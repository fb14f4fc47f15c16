import Foundation
import SessionSupport
import Testing

@testable import SessionCore
@testable import SessionHTTP
@testable import SessionStubs

/// A program's tests without a server, by the public means alone where that is possible.
@Suite("Stubs", .timeLimit(.minutes(1)))
struct StubTests {
    private struct User: Codable, Sendable, Equatable {
        var name: String
    }

    private let stubs = StubServer()
    private let manager: SessionManager

    init() {
        manager = SessionManager(stubs: stubs)
        manager.postsNotifications = false
        manager.completionQueue = DispatchQueue(label: "StubTests")
    }

    @Test("Status, fields and body arrive, and the request is recorded with the session's fields")
    func answers() async throws {
        stubs.answer(
            "https://example.org/users?a=1", method: "POST", with: try .json(encoding: User(name: "x"), status: 201))
        let request = TransferRequest(
            url: "https://example.org/users?a=1", method: "POST", headers: ["X-One": "1"], body: .bytes([1, 2]))
        let response = try await manager.response(for: request, as: .decodable(User.self))
        #expect(response.value == User(name: "x") && response.completion.head?.statusCode == 201)
        #expect(response.completion.head?.expectedContentLength == 12)
        #expect(response.completion.status.sent == 2 && response.completion.status.received == 12)
        let seen = try #require(stubs.requests.first)
        #expect(seen.method == "POST" && seen.body == [1, 2] && seen.headers["X-One"] == "1")
        #expect(seen.headers["User-Agent"] != nil && stubs.requests.count == 1)
    }

    @Test("A field of the session with several lines is recorded with all of them")
    func severalLines() async throws {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders.append(name: "X-Line", value: "1")
        configuration.additionalHeaders.append(name: "x-line", value: "2")
        stubs.answer("/a", with: .text(""))
        let manager = SessionManager(configuration: configuration, stubs: stubs)
        manager.postsNotifications = false
        for own in [HeaderFields(), ["X-LINE": "own"]] {
            _ = try await manager.data(for: TransferRequest(url: "http://h/a", headers: own))
        }
        #expect(stubs.requests.map { $0.headers.values(named: "X-Line") } == [["1", "2"], ["own"]])
    }

    @Test("KB01: a manager with stubs goes with its last owner and takes its session along")
    func goesWithItsLastOwner() {
        weak var manager: SessionManager?
        weak var session: Session?
        do {
            let created = SessionManager(stubs: stubs)
            (manager, session) = (created, created.session)
        }
        #expect(manager == nil)
        #expect(session == nil)
    }

    @Test("Paths fit every host, what was said last counts, and answers come in turn")
    func rules() async throws {
        stubs.answer("/a", with: .text("old"))
        stubs.answer("/a", with: .text("first"), .text("second"))
        stubs.answer("/a", method: "DELETE", with: .text("gone"))
        func text(_ method: String = "GET") async throws -> String {
            try await manager.data(for: TransferRequest(url: "http://h:8/a?q", method: method), as: .string)
        }
        #expect(try await [text(), text(), text(), text("DELETE")] == ["first", "second", "second", "gone"])
        stubs.answer("/a") { request in .text("by \(request.method)") }
        #expect(try await text() == "by GET")
    }

    @Test("What nobody answers, an error that is ordered, and an error status are errors")
    func failures() async throws {
        func failure(_ path: String) async throws -> SessionError? {
            let task = try manager.dataTask(with: TransferRequest(url: "http://h" + path), completionHandler: nil)
            task.resume()
            return await task.completion().error as? SessionError
        }
        let unknown = try await failure("/x?token=abc")
        #expect(unknown?.message.hasPrefix("No stub answers GET http://h/x") == true)
        #expect(unknown?.message.contains("abc") == false)
        stubs.answer("/x", with: .failure(SessionError(.timedOut, "Too late")))
        #expect(try await failure("/x")?.code == .timedOut)
        var cut = StubAnswer.text("half")
        cut.steps.append(.fail(SessionError(.connectionLost, "Cut")))
        stubs.answer("/x", with: cut)
        #expect(try await failure("/x")?.code == .connectionLost)
        stubs.answer("/x", with: .json(#"{"why":1}"#, status: 404))
        await #expect(throws: ResponseSerializationError.self) {
            try await manager.data(for: TransferRequest(url: "http://h/x"), as: .json)
        }
    }

    @Test("A gate holds the head or the body back until a test opens it; progress tells what is there")
    func gates() async throws {
        let (before, within) = (StubGate(), StubGate())
        var answer = StubAnswer(headers: ["Content-Length": "4"]).waiting(for: before)
        answer.steps = [.bytes([1, 2]), .wait(within), .bytes([3, 4])]
        stubs.answer("/slow", with: answer)
        let task = try manager.dataTask(
            with: TransferRequest(url: "http://h/slow"),
            options: TaskOptions(responseSerializer: DataResponseSerializer()),
            completionHandler: nil)
        let progress = try #require(task.progress(.download))
        task.resume()
        await before.reached()
        #expect(task.responseHead == nil && task.state == .running)
        before.open()
        await within.reached()
        for await status in task.statuses where status.received == 2 { break }
        await ManagerFixture.settle(manager)
        #expect(progress.completedUnitCount == 2 && progress.totalUnitCount == 4)
        within.open()
        let completion = await task.completion()
        #expect(completion.body == [1, 2, 3, 4] && progress.isFinished)
    }

    @Test("A paused task gets nothing until it is resumed; a cancelled one ends, at a gate too")
    func pausing() async throws {
        let gate = StubGate()
        var answer = StubAnswer()
        answer.steps = [.wait(gate), .bytes([9])]
        stubs.answer("/p", with: answer)
        let task = try manager.dataTask(with: TransferRequest(url: "http://h/p"), completionHandler: nil)
        task.resume()
        await gate.reached()
        task.suspend()
        gate.open()
        for await status in task.statuses where status.phase == .paused { break }
        #expect(task.countOfBytesReceived == 0)
        task.resume()
        #expect(await task.completion().body == [9])
        let closed = StubGate()
        stubs.answer("/p", with: StubAnswer.text("never").waiting(for: closed))
        let other = try manager.dataTask(with: TransferRequest(url: "http://h/p"), completionHandler: nil)
        other.resume()
        await closed.reached()
        other.cancel()
        #expect((await other.completion().error as? SessionError)?.code == .cancelled)
    }

    @Test("Redirects are followed by the library's rules, and closures are asked as with a network")
    func redirects() async throws {
        stubs.answer("https://a.example/x", with: .redirect(to: "https://b.example/y"))
        stubs.answer("https://b.example/y", with: .text("there"))
        let request = TransferRequest(url: "https://a.example/x", headers: ["Authorization": "Bearer abc"])
        #expect(try await manager.data(for: request, as: .string) == "there")
        #expect(stubs.requests.map { $0.headers["Authorization"] } == ["Bearer abc", nil])
        manager.onRedirect = { _, _, _ in nil }
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().head?.statusCode == 302)
        manager.onResponse = { _, head in head.statusCode == 302 ? .cancel : .allow }
        let cancelled = try manager.dataTask(with: request, completionHandler: nil)
        cancelled.resume()
        #expect((await cancelled.completion().error as? SessionError)?.code == .cancelled)
        manager.onResponse = nil
        manager.onRedirect = nil
        stubs.answer("https://b.example/y", with: .redirect(to: "http://c.example/"))
        let refused = try manager.dataTask(with: request, completionHandler: nil)
        refused.resume()
        #expect((await refused.completion().error as? SessionError)?.code == .redirectRefused)
    }

    @Test("A circle is a response where a closure refuses it, and fails where one returns its request")
    func circles() async throws {
        let request = TransferRequest(url: "https://a.example/x")
        stubs.answer(request.url, with: .redirect(to: "/x"))
        for (isRefused, status, code) in [(true, 302, nil), (false, nil, .tooManyRedirects)]
            as [(Bool, Int?, SessionError.Code?)]
        {
            manager.onRedirect = { _, _, next in isRefused ? nil : next }
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            let completion = await task.completion()
            #expect((completion.error as? SessionError)?.code == code)
            if let status { #expect(completion.head?.statusCode == status) }
        }
        #expect(stubs.requests.count == 2)
    }

    @Test("Downloads become files by the rules of their target, and error pages do not")
    func downloads() async throws {
        let folder = try TemporaryFolder()
        stubs.answer("/a/file.bin", with: StubAnswer(body: [1, 2, 3]))
        let request = TransferRequest(url: "http://h/a/file.bin")
        let options = TaskOptions(target: DownloadTarget(folder: folder.path))
        #expect(try await manager.download(for: request, options: options).fileURL == folder.file("file.bin"))
        let second = try await manager.download(for: request, options: options)
        #expect(second.fileURL?.lastPathComponent == "file (1).bin" && folder.bytes(of: "file.bin") == [1, 2, 3])
        let target = folder.file("moved")
        let moved = try await manager.download(for: request, destination: { _, _ in target })
        #expect(moved.fileURL == target && folder.bytes(of: "moved") == [1, 2, 3])
        stubs.answer("/a/file.bin", with: .text("page", status: 404))
        let error = await #expect(throws: SessionError.self) {
            try await manager.download(for: request, destination: { _, _ in folder.file("page") })
        }
        #expect(error?.responseBody == Array("page".utf8) && folder.bytes(of: "page") == nil)
        var right = DownloadTarget(folder: folder.path, name: .fixed("sum"))
        right.checksum = Checksum(algorithm: .md5, digest: [UInt8](repeating: 0, count: 16))
        stubs.answer("/a/file.bin", with: StubAnswer(body: [1]))
        let wrong = await #expect(throws: SessionError.self) {
            try await manager.download(for: request, options: TaskOptions(target: right))
        }
        #expect(wrong?.code == .checksum && folder.bytes(of: "sum") == nil)
    }

    @Test("Uploads, forms and streams arrive whole, and interceptors see the answers")
    func uploads() async throws {
        stubs.answer("/u", method: "PUT", with: .text("busy", status: 503), .text("ok"))
        let request = TransferRequest(url: "http://h/u", method: "PUT")
        let retrier = RequestRetrier(firstDelay: 0)
        var options = TaskOptions()
        options.interceptors = [retrier]
        let body = Data([5, 6, 7])
        #expect(try await manager.upload(for: request, from: body, options: options).data == Data("ok".utf8))
        #expect(stubs.requests.map(\.body) == [[5, 6, 7], [5, 6, 7]])
        stubs.answer("/form", method: "POST", with: .text("ok"))
        let form = try HTTPRequestSerializer().multipartRequest("POST", "http://h/form", parameters: ["a": "b"]) {
            $0.append(InputStream(data: Data("streamed".utf8)), length: 8, name: "s", fileName: "s.txt")
        }
        _ = try await manager.upload(form)
        let seen = String(decoding: try #require(stubs.requests.last).body, as: UTF8.self)
        #expect(seen.contains("name=\"a\"\r\n\r\nb") && seen.contains("streamed") && seen.hasSuffix("--\r\n"))
    }

    @Test("A session that is invalidated ends its stubbed tasks")
    func invalidation() async throws {
        let gate = StubGate()
        stubs.answer("/x", with: StubAnswer.text("x").waiting(for: gate))
        let task = try manager.dataTask(with: TransferRequest(url: "http://h/x"), completionHandler: nil)
        task.resume()
        await stubs.requests(count: 1)
        let ended = EventLog<Bool>()
        manager.onInvalidate = { _, error in ended.add(error == nil) }
        manager.invalidate(cancellingTasks: true)
        #expect((await task.completion().error as? SessionError)?.code == .cancelled)
        #expect(await ended.wait(count: 1) == [true])
    }
}
