import Foundation
import Glibc
import LoopbackServer
import Testing

/// A download that stands still in the middle, and the folders of the programs that share a service.
final class SharedService {
    let download: GatedDownload
    let environment: [String: String]
    private let user: UserFolder

    init() throws {
        download = try GatedDownload()
        user = try UserFolder()
        environment = try user.environmentWithService()
    }

    /// Runs a command for the service to its end.
    @discardableResult
    func run(_ words: String...) async throws -> ProgramRun.Result {
        try await ProgramRun.finished(words, in: download.folder, environment: environment)
    }

    /// The service without a window, once it listens.
    func serve(_ options: String...) async throws -> ProgramRun {
        let service = try ProgramRun(["serve"] + options, in: download.folder, environment: environment)
        try await service.waitForMessages("the service to listen") { $0.contains("Serving session") }
        return service
    }

    /// A window on the session.
    func window(_ words: String...) throws -> PseudoTerminal {
        let start = ["/usr/bin/env", "-C", download.folder.path, try Program.path()]
        return try PseudoTerminal(start + words, environment: environment)
    }

    /// Waits until the status of the tasks is as wanted.
    func waitForStatus(_ what: String, _ isWanted: (String) -> Bool) async throws {
        try await waitForOutput(of: "status", what, isWanted)
    }

    /// Waits until what a command prints is as wanted.
    func waitForOutput(of command: String, _ what: String, _ isWanted: (String) -> Bool) async throws {
        let deadline = ContinuousClock.now + patience
        var text = try await run(command).text
        while !isWanted(text) {
            guard ContinuousClock.now < deadline else {
                throw WaitingFailed(description: "Waited in vain for: \(what)\n\(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
            text = try await run(command).text
        }
    }

    /// Waits until all earlier changes are on the disk: an addition ends when its own task is there, behind them.
    func save() async throws {
        let added = try await run("add", "--start-at", "+9h", download.server.url("/saved"))
        guard added.status == 0 else { throw WaitingFailed(description: "Not saved: \(added)") }
    }

    /// The lines of the kernel's table of sockets, which comes in pieces and has no size.
    static var sockets: [String] {
        guard let table = fopen("/proc/net/unix", "re") else { return [] }
        defer { fclose(table) }
        var (line, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
        defer { free(line) }
        var lines: [String] = []
        while getline(&line, &capacity, table) > 0, let line { lines.append(String(cString: line)) }
        return lines
    }

    /// The process of the service.
    func process(sourceLocation: SourceLocation = #_sourceLocation) async throws -> pid_t {
        let status = try await run("status", "--json")
        let match = try #require(
            status.text.firstMatch(of: /"process":(\d+)/), "\(status)", sourceLocation: sourceLocation)
        return try #require(pid_t(match.1))
    }
}
