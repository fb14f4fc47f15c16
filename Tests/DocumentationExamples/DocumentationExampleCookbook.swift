import Foundation
import FoundationNetworking
import SessionCore
import SessionHTTP
import SessionStubs

/// The examples of the article "Cookbook".
enum DocumentationExampleCookbook {
    struct User: Codable, Sendable, Equatable {
        var name: String
        var age: Int
    }

    static func json(_ manager: SessionManager, _ base: String) async throws -> User {
        // example: cookbook, json
        let user = try await manager.decode(User.self, for: TransferRequest(url: base + "/users/1"))
        // end
        return user
    }

    static func send(_ manager: SessionManager, _ base: String) async throws -> User {
        // example: cookbook, send
        let http = try HTTPManager(baseURL: base, manager: manager)
        http.requestSerializer = JSONRequestSerializer()
        let found = try await http.get("users", parameters: ["city": "Oslo", "page": 2], as: .decodable([User].self))
        let stored = try await http.post("users", body: found[0], as: .decodable(User.self))
        // end
        return stored
    }

    static func download(_ manager: SessionManager, _ address: URL, _ folder: String) async throws -> URL? {
        // example: cookbook, download
        var options = TaskOptions(target: DownloadTarget(folder: folder))
        options.downloadProgress = { progress in print("\(Int(progress.fractionCompleted * 100)) %") }
        let file = try await manager.download(for: URLRequest(url: address), options: options).fileURL
        // end
        return file
    }

    static func pause(_ manager: SessionManager, _ address: URL, _ folder: String) async throws -> TaskCompletion {
        // example: cookbook, pause
        let task = try manager.downloadTask(
            with: URLRequest(url: address), options: TaskOptions(target: DownloadTarget(folder: folder)),
            completionHandler: nil)
        task.resume()
        task.suspend()  // Nothing more arrives. A second call would change nothing.
        task.resume()  // It goes on where it stopped.
        let completion = await task.completion()
        // end
        return completion
    }

    static func form(_ manager: SessionManager, _ base: String, _ photo: URL) async throws -> String {
        // example: cookbook, form
        let http = try HTTPManager(baseURL: base, manager: manager)
        let answer = try await http.post("photos", parameters: ["album": "Holiday"], as: .string) { form in
            try form.append(file: photo, name: "photo")
        }
        // end
        return answer
    }

    static func token(_ manager: SessionManager, _ base: String, _ host: String) async throws -> User {
        // example: cookbook, token
        let login = SessionManager(configuration: manager.configuration)
        manager.interceptors = [
            TokenInterceptor(token: "old", hosts: [host]) { _ in
                try await login.data(for: TransferRequest(url: base + "/login", method: "POST"), as: .string)
            }
        ]
        let user = try await manager.decode(User.self, for: TransferRequest(url: base + "/guarded"))
        // end
        return user
    }

    static func patience(_ manager: SessionManager, _ base: String) async throws -> TaskCompletion {
        // example: cookbook, patience
        var options = TaskOptions()
        options.interceptors = [RequestRetrier(maximumRetries: 3, firstDelay: 0.01)]
        options.requestOptions = RequestOptions()
        options.requestOptions?.timeLimit = 20
        let completion = try await manager.data(for: TransferRequest(url: base + "/busy"), options: options)
        // end
        return completion
    }

    static func authority(_ url: String, _ folder: String) async throws -> TaskCompletion {
        // example: cookbook, authority
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        configuration.options?.authorities = AuthorityFiles(file: folder + "/authority.pem")
        let manager = SessionManager(configuration: configuration)
        manager.onTaskChallenge = { _, challenge in
            guard case .clientCertificate = challenge.kind else { return .performDefault }
            return .show(ClientCertificate(file: folder + "/server.pem", keyFile: folder + "/server.key"))
        }
        let completion = try await manager.data(for: TransferRequest(url: url))
        // end
        return completion
    }

    static func pin(_ url: String, _ pem: String, _ configuration: SessionConfiguration) async throws -> TaskCompletion
    {
        // example: cookbook, pin
        let manager = SessionManager(configuration: configuration)
        var policy = try SecurityPolicy(pinningMode: .publicKey)
        try policy.pin([Data(pem.utf8)])
        manager.hostSecurityPolicies = ["127.0.0.1": policy, "*.example.org": policy]
        let completion = try await manager.data(for: TransferRequest(url: url))
        // end
        return completion
    }

    static func lines(_ manager: SessionManager, _ base: String) async throws -> [String] {
        // example: cookbook, lines
        var events: [String] = []
        let (body, head) = try await manager.bytes(for: TransferRequest(url: base + "/events"))
        guard head.statusCode == 200 else { return [] }
        for try await line in body.lines where line.hasPrefix("data: ") {
            events.append(String(line.dropFirst(6)))
        }
        // end
        return events
    }

    static func memory(_ base: String) async throws -> [TaskCompletion] {
        // example: cookbook, memory
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        configuration.options?.cookies = CookieJar()
        let manager = SessionManager(configuration: configuration)
        manager.responseCache = URLResponseCache(URLCache(memoryCapacity: 8 << 20, diskCapacity: 0, diskPath: nil))
        let request = TransferRequest(url: base + "/news")
        let first = try await manager.data(for: request)
        let second = try await manager.data(for: request)
        print(second.isFromCache ? "The server said that it still holds" : "It was sent again")
        // end
        return [first, second]
    }

    static func stub() async throws -> (User, [String]) {
        // example: cookbook, stub
        let server = StubServer()
        server.answer(
            "/users/1", with: .failure(SessionError(.connectionLost, "Cut")), .json(#"{"name":"Ada","age":36}"#))
        let manager = SessionManager(stubs: server)
        manager.add(SessionLog { line in print(line) })
        manager.interceptors = [RequestRetrier(firstDelay: 0)]
        let user = try await manager.decode(User.self, for: TransferRequest(url: "https://example.org/users/1"))
        // end
        return (user, server.requests.map(\.url))
    }
}
