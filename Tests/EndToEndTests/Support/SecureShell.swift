import Foundation
import Glibc
import Testing

/// An ssh server on loopback with keys and settings of its own.
final class SecureShell {
    private static let server = "/usr/sbin/sshd"

    static var isAvailable: Bool {
        // Without root the server lets in its own user only, which is enough here.
        ["/usr/bin/ssh", "/usr/bin/ssh-keygen", server].allSatisfy(FileManager.default.isExecutableFile)
    }

    let folder: ScratchFolder
    private let port: Int
    private let process: pid_t

    init() async throws {
        folder = try ScratchFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        for key in ["host", "user"] {
            let words = ["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.path(of: key)]
            guard Program.wait(for: try Program.start(words, environment: [:])) == 0 else {
                throw WaitingFailed(description: "ssh-keygen failed")
            }
        }
        let refused = try #require(URL(string: try Served.refusedURL())?.port)
        port = refused
        // As root the server wants this folder for its unprivileged half.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        let settings = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder.path(of: "host"))
            AuthorizedKeysFile \(folder.path(of: "user.pub"))
            PidFile none
            StrictModes no
            UsePAM no
            PermitRootLogin prohibit-password
            PasswordAuthentication no
            """
        _ = try folder.write(settings, to: "config")
        process = try Program.start(
            [Self.server, "-D", "-e", "-f", folder.path(of: "config")], environment: ["PATH": "/usr/bin:/bin"])
        _ = try await waitUntil("the ssh server to listen") { Self.listens(at: port) ? true : nil }
    }

    deinit { Self.end(process) }

    /// The words of a client that runs what follows on the server.
    func client(_ options: [String]) -> [String] {
        [
            "/usr/bin/ssh", "-q", "-F", "none", "-p", "\(port)", "-i", folder.path(of: "user"),
            "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "BatchMode=yes",
        ] + options + ["127.0.0.1"]
    }

    /// Starts a client that forwards a socket, and waits until that is there.
    func tunnel(_ words: [String], to path: String) async throws -> pid_t {
        unlink(path)
        let process = try Program.start(words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        _ = try await waitUntil("the tunnel") { access(path, F_OK) == 0 ? true : nil }
        return process
    }

    static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        _ = Program.wait(for: process)
    }

    private static func listens(at port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
