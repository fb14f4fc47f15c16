import SessionSupport

/// A WebDAV server that stores files in collections (RFC 4918): a PUT or a MKCOL below a missing one gets 409.
///
/// Bodies are read from the requests; the server's configuration must keep as many bytes as a file has.
public final class CollectionKeeper: Sendable {
    private struct State {
        var collections: Set<String>
        var files: [String: [UInt8]] = [:]
    }

    private let state: Locked<State>
    private let readsRefusedBodies: Bool
    private let fault: @Sendable (RecordedRequest) -> ScriptedResponse?

    /// Creates a server with some collections, whose paths end in a slash.
    ///
    /// - Parameters:
    ///   - readsRefusedBodies: false to answer 409 to a PUT at its head, and to end the connection.
    ///   - fault: returns a response instead of the server's own.
    public init(
        _ collections: Set<String>, readsRefusedBodies: Bool = true,
        fault: @escaping @Sendable (RecordedRequest) -> ScriptedResponse? = { _ in nil }
    ) {
        state = Locked(State(collections: collections))
        (self.readsRefusedBodies, self.fault) = (readsRefusedBodies, fault)
    }

    /// The collections, by path.
    public var collections: Set<String> { state.withLock(\.collections) }
    /// The files, by path.
    public var files: [String: [UInt8]] { state.withLock(\.files) }

    /// The behaviour of all paths of the server.
    public var behaviour: Behaviour {
        .choosing { [self] request in
            if let response = fault(request) { return .respond(response) }
            guard request.method == "PUT" else { return .handler { [self] in answer($0) } }
            guard state.withLock({ $0.collections.contains(Self.parent(of: request.path)) }) else {
                let conflict = ScriptedResponse.text("Conflict\n", status: 409)
                return readsRefusedBodies ? .respond(conflict) : .refusing(conflict)
            }
            return .handler { [self] in store($0) }
        }
    }

    private func store(_ request: RecordedRequest) -> ScriptedResponse {
        state.withLock { $0.files[request.path] = request.bodyPrefix }
        return ScriptedResponse(201)
    }

    private func answer(_ request: RecordedRequest) -> ScriptedResponse {
        guard request.method == "MKCOL" else { return ScriptedResponse(405, headers: ["Allow": "MKCOL, PUT"]) }
        let path = request.path.hasSuffix("/") ? request.path : request.path + "/"
        return state.withLock { state in
            if state.collections.contains(path) { return ScriptedResponse(405) }
            guard state.collections.contains(Self.parent(of: String(path.dropLast()))) else {
                return ScriptedResponse(409)
            }
            state.collections.insert(path)
            return ScriptedResponse(201)
        }
    }

    /// Returns the path up to its last slash.
    private static func parent(of path: String) -> String {
        String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
