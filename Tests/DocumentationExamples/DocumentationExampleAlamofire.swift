import SessionCore
import SessionHTTP
import SessionStubs

/// The examples of the guide "From Alamofire".
enum DocumentationExampleAlamofire {
    struct User: Decodable, Sendable, Equatable {
        var name: String
    }

    static func stubbed() -> (StubServer, SessionManager) {
        // example: coming from alamofire, stubs
        let stubs = StubServer()
        stubs.answer("/v1/users/1", with: .text("who?", status: 401), .json(#"{"name":"Ada"}"#))
        let manager = SessionManager(stubs: stubs)
        // end
        return (stubs, manager)
    }

    static func user(_ manager: SessionManager) async throws -> User {
        // example: coming from alamofire
        let http = try HTTPManager(baseURL: "https://api.example.org/v1", manager: manager)
        http.interceptors = [
            TokenInterceptor(token: "old", hosts: ["api.example.org"]) { _ in "new" },
            RequestRetrier(maximumRetries: 2, firstDelay: 0),
        ]
        let user = try await http.manager.decode(User.self, for: http.request("GET", "users/1"))
        // end
        return user
    }
}
