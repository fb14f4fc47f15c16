import CLinux
import Foundation
import Glibc

/// An ssh server on loopback with keys and settings of its own.
final class SecureShell {
    private static let server = "/usr/sbin/sshd"

    static var isAvailable: Bool {
        // Without root the server lets in its own user only, which is enough here.
        ["/usr/bin/ssh", "/usr/bin/ssh-keygen", server].allSatisfy(FileManager.default.isExecutableFile)
    }

    let folder: ScratchFolder
    private let port: UInt16
    private let process: pid_t
    private let output: Int32

    init() async throws {
        folder = try ScratchFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        for key in ["host", "user"] {
            let words = ["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.path(of: key)]
            guard Program.wait(for: try Program.start(words, environment: [:])) == 0 else {
                throw WaitingFailed(description: "ssh-keygen failed")
            }
        }
        // As root the server wants this folder for its unprivileged half.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        (process, port, output) = try await Self.start(in: folder)
    }

    deinit {
        Self.end(process)
        close(output)
    }

    /// Starts the server at a port that was free a moment ago, or at another one where it no longer was.
    private static func start(in folder: ScratchFolder) async throws -> (pid_t, UInt16, Int32) {
        while true {
            let port = try Served.freePort()
            let output = cl_memfd("sshd")
            _ = try folder.write(settings(port, folder), to: "config")
            let process = try Program.start(
                [server, "-D", "-e", "-f", folder.path(of: "config")], environment: ["PATH": "/usr/bin:/bin"],
                error: output)
            // Another server at the port would accept connections too.
            let listens = try await waitUntil("the ssh server to listen") { () -> Bool? in
                let text = try String(contentsOfFile: "/proc/self/fd/\(output)", encoding: .utf8)
                if text.contains("Server listening on") { return true }
                return text.contains("Cannot bind any address") ? false : nil
            }
            if listens { return (process, port, output) }
            end(process)
            close(output)
        }
    }

    private static func settings(_ port: UInt16, _ folder: ScratchFolder) -> String {
        """
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
    }

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
}
