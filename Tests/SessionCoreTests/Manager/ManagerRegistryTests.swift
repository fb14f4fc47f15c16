import Foundation
import FoundationNetworking
import SessionSupport
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerRegistryTests {
    private let fixture = ManagerFixture()

    @Test("A09 B15 B16 B17 B18 D13: tasks are listed by kind, never resumed ones included and finished ones not")
    func tasksAreListedByKind() async throws {
        let manager = fixture.manager
        let download = try manager.downloadTask(
            with: fixture.request, options: TaskOptions(target: DownloadTarget(folder: "/nowhere")),
            completionHandler: nil)
        let upload = try manager.uploadTask(with: fixture.request, from: fixture.request.body, completionHandler: nil)
        let data = try manager.dataTask(with: fixture.request, completionHandler: nil)
        let other = try manager.dataTask(with: fixture.request, completionHandler: nil)
        #expect(manager.tasks == [data, other, upload, download])
        #expect(manager.dataTasks == [data, other])
        #expect(manager.uploadTasks == [upload])
        #expect(manager.downloadTasks == [download])
        data.resume()
        fixture.engine.complete(data)
        _ = await data.completion()
        #expect(manager.tasks == [other, upload, download])
        #expect(manager.task(for: other.id) === other)
        #expect(manager.task(for: data.id) == nil)
        // Not only left out of the lists.
        await fixture.settle()
        #expect(manager.state.withLock { Set($0.registry.keys) } == [other.id, upload.id, download.id])
    }

    @Test("A13: ten thousand tasks created at once have ten thousand identifiers")
    func identifiersAreUnique() async throws {
        let manager = fixture.manager
        let request = fixture.request
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    for _ in 0..<1_000 { _ = try? manager.dataTask(with: request, completionHandler: nil) }
                }
            }
        }
        let tasks = manager.tasks
        #expect(tasks.count == 10_000)
        #expect(Set(tasks.map(\.taskIdentifier)).count == 10_000)
        // Creating a task takes so long that two of them hardly ever take their numbers at the same moment.
        let numbers = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 { group.addTask { (0..<100_000).map { _ in TransferID.next().rawValue } } }
            return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(numbers.count == 400_000)
    }

    @Test("A22: a copy has the configuration, a session of its own and nothing else")
    func aCopyHasTheConfiguration() throws {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 3
        let manager = SessionManager(configuration: configuration) { _ in ScriptedEngine() }
        manager.responseSerializer = DataResponseSerializer()
        manager.completionQueue = .global()
        manager.onTaskEvent = { _, _ in }
        let copy = manager.copy()
        #expect(copy.configuration == configuration)
        #expect(copy.session !== manager.session)
        #expect(copy.responseSerializer is JSONResponseSerializer)
        #expect(copy.completionQueue == nil)
        #expect(copy.handlers.onTaskEvent == nil)
        #expect(copy.tasks.isEmpty)
    }

    @Test("A21: the configuration is coded whole, header fields in order")
    func theConfigurationIsCoded() throws {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 9
        configuration.additionalHeaders.append(name: "X-A", value: "1")
        configuration.additionalHeaders.append(name: "x-a", value: "2")
        let data = try JSONEncoder().encode(configuration)
        #expect(try JSONDecoder().decode(SessionConfiguration.self, from: data) == configuration)
        let broken = Data(#"[["only a name"]]"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(HeaderFields.self, from: broken) }
    }

    @Test("A18: the description names the class, the session and the queue")
    func theDescriptionNamesItsParts() {
        let text = fixture.manager.description
        #expect(text.hasPrefix("<SessionManager: "))
        #expect(text.contains("session: none") && text.contains("operationQueue: "))
        let manager = fixture.manager
        let parts = [ObjectIdentifier(manager), ObjectIdentifier(manager.session)].map { "\($0)" }
        #expect(parts.allSatisfy { "\(manager)".contains($0) } && "\(manager)".contains("\(manager.operationQueue)"))
    }

    @Test("A06 A07 A08: the defaults are JSON, the strict policy and the process's reachability manager")
    func theDefaults() {
        #expect(fixture.manager.responseSerializer is JSONResponseSerializer)
        #expect(fixture.manager.securityPolicy == .default)
        #expect(fixture.manager.securityPolicy.validatesDomainName)
        #expect(fixture.manager.reachabilityManager === ReachabilityManager.shared)
        let own = ReachabilityManager()
        fixture.manager.reachabilityManager = own
        #expect(fixture.manager.reachabilityManager === own)
    }

    @Test(
        "T02 KB27: a URL that cannot work is refused at creation",
        arguments: [
            ("", SessionError.Code.invalidURL), ("example.org", .invalidURL),
            ("ftp://example.org/", .unsupportedScheme),
            ("http://", .invalidURL), ("http:///path", .invalidURL), ("http://a b/", .invalidURL),
            ("http://h/\r\nX: y", .invalidURL), ("file:///etc/passwd", .unsupportedScheme), ("http:host", .invalidURL),
            ("http://user@/", .invalidURL), ("http://:80/", .invalidURL), ("localhost:8080/x", .invalidURL),
            ("mailto:x@h", .unsupportedScheme),
        ])
    func aBadURLIsRefused(url: String, code: SessionError.Code) {
        let error = #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        }
        #expect(error?.code == code)
        #expect(fixture.manager.tasks.isEmpty)
    }

    @Test func goodURLsAreAccepted() throws {
        for url in ["http://h", "HTTPS://user:pass@[::1]:8443/p?q#f", "http://höst/ü"] {
            _ = try fixture.manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        }
        #expect(fixture.manager.tasks.count == 3)
    }

    @Test("T02: a request without a URL is refused") func aRequestWithoutAURLIsRefused() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h")))
        request.url = nil
        let error = #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: request, completionHandler: nil)
        }
        #expect(error?.code == .invalidURL)
    }

    @Test(
        "T03: a header field that could smuggle another one is refused",
        arguments: [("X-A", "b\r\nX-C: d"), ("X-A", "b\n"), ("X-A", "b\0"), ("X A", "b"), ("", "b"), ("X:", "b")])
    func aBadHeaderIsRefused(name: String, value: String) {
        var request = fixture.request
        request.headers.append(name: name, value: value)
        let error = #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: request, completionHandler: nil)
        }
        #expect(error?.code == .invalidHeader)
    }

    @Test func aMethodThatIsNoTokenIsRefused() {
        var request = fixture.request
        request.method = "GET /"
        let error = #expect(throws: SessionError.self) {
            try fixture.manager.dataTask(with: request, completionHandler: nil)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test("B03: a body file that is missing or a folder is refused at creation, and a FIFO is not opened")
    func aMissingBodyFileIsRefused() throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        for (path, number) in [("/nowhere/file", ENOENT), ("/", nil)] as [(String, Int32?)] {
            var request = fixture.request
            request.body = .file(path: path)
            let error = #expect(throws: SessionError.self) {
                try fixture.manager.uploadTask(with: request, from: request.body, completionHandler: nil)
            }
            #expect(error?.code == .bodyUnreadable)
            #expect(error?.errno == number)
        }
        // Its writer would take a look for the reader, and end when it goes.
        var request = fixture.request
        request.body = .file(path: pipe)
        _ = try fixture.manager.uploadTask(with: request, from: request.body, completionHandler: nil)
    }

    @Test("B02 B06: a Foundation request keeps method, fields, body and a time-out that was set")
    func aFoundationRequestIsTakenOver() throws {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/a%20b")))
        request.httpMethod = "POST"
        request.setValue("1", forHTTPHeaderField: "X-B")
        request.timeoutInterval = 7
        let task = try fixture.manager.uploadTask(with: request, from: Data([1, 2]), completionHandler: nil)
        #expect(task.request.url == "http://127.0.0.1/a%20b")
        #expect(task.request.method == "POST")
        #expect(task.request.headers["x-b"] == "1")
        #expect(task.request.body == .bytes([1, 2]))
        #expect(task.request.idleTimeout == 7)
        #expect(task.originalRequest == request)
        let plain = try fixture.manager.dataTask(
            with: URLRequest(url: try #require(URL(string: "http://h/"))), completionHandler: nil)
        #expect(plain.request.idleTimeout == nil)
    }
}
