import LoopbackServer

/// A server in the test's own process, and a shut port beside it.
enum Served {
    /// A server that listens, with routes.
    static func start(_ routes: [String: Behaviour] = [:]) throws -> LoopbackServer {
        let server = LoopbackServer()
        for (path, behaviour) in routes { server.setRoute(path, behaviour) }
        try server.start()
        return server
    }

    /// The URL of a port at which nobody listens.
    static func refusedURL() throws -> String {
        let server = try start()
        let url = server.url("/nobody")
        server.stop()
        return url
    }
}
