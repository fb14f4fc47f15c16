import LoopbackServer

/// Runs a test against a started server and stops it after.
func withServer(
    _ configuration: LoopbackServer.Configuration = .init(), _ body: (LoopbackServer) throws -> Void
) throws {
    let server = LoopbackServer(configuration: configuration)
    try server.start()
    defer { server.stop() }
    try body(server)
}
