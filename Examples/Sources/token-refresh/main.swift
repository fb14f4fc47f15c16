// Ten requests at once with a token that has expired: it is renewed once, and all ten go on with the new one. The server
// is a stub, so that the example needs no network.

import SessionCore
import SessionStubs

struct Item: Decodable, Sendable {
    let id: Int
}

let server = StubServer()
server.answer("/login", method: "POST", with: .json(#"{"token":"fresh"}"#))
server.answer("/items/1") { request in
    request.headers["Authorization"] == "Bearer fresh" ? .json(#"{"id":1}"#) : .text("expired", status: 401)
}

struct Login: Decodable, Sendable {
    let token: String
}

// The login goes through a manager of its own, which has no interceptors.
let login = SessionManager(stubs: server)
let manager = SessionManager(stubs: server)
manager.interceptors = [
    TokenInterceptor(token: "stale", hosts: ["api.example.org"]) { _ in
        try await login.decode(Login.self, for: TransferRequest(url: "https://api.example.org/login", method: "POST"))
            .token
    }
]

let request = TransferRequest(url: "https://api.example.org/items/1")
let calls = (0..<10).map { _ in Task { try await manager.decode(Item.self, for: request) } }
var items: [Item] = []
for call in calls { items.append(try await call.value) }
let renewals = server.requests.filter { $0.url.hasSuffix("/login") }.count
print("\(items.count) answers, \(renewals) renewal")
