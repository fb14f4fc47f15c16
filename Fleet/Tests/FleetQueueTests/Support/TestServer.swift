import Foundation
import Synchronization
import Testing

@testable import FleetQueue

/// A PostgreSQL of the installed package in a temporary folder, reached by a Unix socket only.
final class TestServer: Sendable {
    let folder: String
    /// What the server needs beside its usual settings, such as a number of connections.
    private let settings: String

    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let sorted = versions.compactMap(Int.init).sorted(by: >)
        return sorted.map { "\(root)/\($0)/bin" }.first { access($0 + "/initdb", X_OK) == 0 }
    }()

    /// Why no server can start here; nil if one can.
    static let obstacle: String? = {
        guard programs != nil else { return "PostgreSQL is not installed (apt-get install postgresql)" }
        guard getuid() != 0 || getpwnam("postgres") != nil else { return "root cannot run PostgreSQL" }
        return nil
    }()

    static var canStart: Bool { obstacle == nil }

    /// A cluster that each server copies, because making one takes seconds.
    private static let template = Result { try makeTemplate() }

    private static func makeTemplate() throws -> String {
        let folder = try makeFolder()
        Cleanup.note(folder: folder)
        let options = "-A trust -U postgres -N -E UTF8 --locale=C.UTF-8"
        try asServerUser("\(programs ?? "")/initdb -D '\(folder)/data' \(options)")
        return folder
    }

    private static func makeFolder() throws -> String {
        let folder = "/tmp/fleet-tests-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        if getuid() == 0, let user = getpwnam("postgres") {
            try #require(chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0)
        }
        return folder
    }

    /// Makes a server, and starts it.
    init(settings: String = "") throws {
        self.settings = settings
        folder = try Self.makeFolder()
        Cleanup.note(folder: folder)
        try Self.asServerUser("cp -a '\(try Self.template.get())/data' '\(folder)/data'")
        try start()
    }

    func start() throws {
        let options = "-c listen_addresses= -c unix_socket_directories=\(folder) -c fsync=off \(settings)"
        try control("start -w -l '\(folder)/log' -o '\(options)'")
    }

    /// Stops the server as a crash does: without waiting for anything.
    func stop() throws {
        guard isRunning else { return }
        try control("stop -w -m immediate")
    }

    /// The server's processes: the first one, and its children.
    private var processes: [pid_t] {
        let lock = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let first = (lock?.split(separator: "\n").first).flatMap({ pid_t($0) }) else { return [] }
        let list = try? String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
        return [first] + (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    /// Stops all processes where they are, as a machine or a disk does that answers nothing for a while.
    func freeze() { for process in processes { kill(process, SIGSTOP) } }

    /// Lets them go on.
    func thaw() { for process in processes { kill(process, SIGCONT) } }

    /// Keeps a copy of the stopped server's cluster, which ``replaceCluster()`` takes.
    func keepCluster() throws { try Self.asServerUser("cp -a '\(folder)/data' '\(folder)/copy'") }

    /// Puts the copy in the place of the stopped server's cluster, or an empty cluster, as a failover does.
    func replaceCluster() throws {
        let copy = folder + "/copy"
        let source = access(copy, F_OK) == 0 ? copy : try Self.template.get() + "/data"
        try Self.asServerUser("mv '\(folder)/data' '\(folder)/lost' && cp -a '\(source)' '\(folder)/data'")
    }

    /// Puts the stopped server's own cluster back.
    func restoreCluster() throws {
        try Self.asServerUser("rm -rf '\(folder)/data' && mv '\(folder)/lost' '\(folder)/data'")
    }

    private var isRunning: Bool { access(folder + "/data/postmaster.pid", F_OK) == 0 }

    private func control(_ words: String) throws {
        try Self.asServerUser("\(Self.programs ?? "")/pg_ctl -s -D '\(folder)/data' \(words)")
    }

    deinit {
        thaw()
        try? stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a shell command as the user that the server needs: never root.
    private static func asServerUser(_ command: String) throws {
        let shell = ["/bin/sh", "-c", "cd / && " + command]
        let words = getuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] + shell : shell
        let process = try ChildProcess(words[0], Array(words.dropFirst()))
        try #require(process.wait() == 0, "\(command): \(process.output)")
    }
}

/// Removes at the process's end what lives as long as it.
enum Cleanup {
    private static let folders = Mutex<[String]>([])
    private static let processes = Mutex<[pid_t]>([])
    private static let registered: Int32 = atexit { Cleanup.run() }

    static func note(folder: String) {
        precondition(registered == 0)
        folders.withLock { $0.append(folder) }
    }

    static func note(process: pid_t) {
        precondition(registered == 0)
        processes.withLock { $0.append(process) }
    }

    private static func run() {
        for process in processes.withLock({ $0 }) { kill(process, SIGKILL) }
        for folder in folders.withLock({ $0 }) {
            // A server that still runs is stopped by its lock file's process.
            let lock = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
            if let line = lock?.split(separator: "\n").first, let number = pid_t(line) { kill(number, SIGQUIT) }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}
