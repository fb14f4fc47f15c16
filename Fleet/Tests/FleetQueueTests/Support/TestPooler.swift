import Foundation
import Testing

@testable import FleetQueue

/// A PgBouncer of the installed package in front of a server, which gives each transaction another connection.
final class TestPooler {
    let folder: String
    private let process: ChildProcess

    private static let program = ["/usr/sbin", "/usr/bin"].map { $0 + "/pgbouncer" }.first { access($0, X_OK) == 0 }

    static var canStart: Bool { program != nil && TestServer.canStart }

    /// Starts it with a number of connections to the server.
    init(for server: TestServer, connections: Int) throws {
        folder = try SimulatedFolder().path
        let settings = """
            [databases]
            * = host=\(server.folder)
            [pgbouncer]
            unix_socket_dir = \(folder)
            listen_port = 5432
            pool_mode = transaction
            default_pool_size = \(connections)
            auth_type = trust
            auth_file = \(folder)/users
            """
        try settings.write(toFile: folder + "/settings", atomically: true, encoding: .utf8)
        try "\"postgres\" \"\"\n".write(toFile: folder + "/users", atomically: true, encoding: .utf8)
        var words = [try #require(Self.program), folder + "/settings"]
        // It refuses to run as root, as the server does.
        if getuid() == 0, let user = getpwnam("postgres") {
            try #require(chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0)
            words = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + words
        }
        process = try ChildProcess(words[0], Array(words.dropFirst()))
        let socket = folder + "/.s.PGSQL.5432"
        eventually("PgBouncer listens") { access(socket, F_OK) == 0 }
    }

    deinit {
        // It keeps nothing, and each of its versions has another signal for an end at once.
        process.send(SIGKILL)
        process.wait()
    }
}
