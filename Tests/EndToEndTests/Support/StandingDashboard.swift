import Foundation
import LoopbackServer
import TerminalTestSupport

/// Dashboards whose rows stand still, so that every run shows the same.
///
/// A first dashboard brings the rows into their states and is left. Those that are looked at go on with what it saved, at a server that answers nothing any more: no byte moves, so no speed is ever measured.
final class StandingDashboard {
    let server: LoopbackServer
    private let standing: StandingRows
    private let folder: ScratchFolder
    private let user: UserFolder
    /// The copies that dashboards work on, kept as long as they do.
    private var copies: [UserFolder] = []

    /// Brings the rows into their states.
    init(_ standing: StandingRows) async throws {
        self.standing = standing
        folder = try ScratchFolder()
        user = try UserFolder()
        server = try Served.start()
        try standing.setRoutes(server)
        try folder.write(String(repeating: "netdash ", count: 500), to: "report.pdf")
        let list = standing.list.replacing("@/", with: server.url("/"))
        try folder.write(list.replacing("~/", with: "http://localhost:\(server.port)/"), to: "list")
        let terminal = try start(["-j", "20", "-i", folder.path(of: "list")], user: user, rows: 40, columns: 120)
        try await standing.prepare(terminal)
        try terminal.type("Q")
        // 0, or 1 because of the rows that are meant to have failed.
        guard try await terminal.waitForEnd() < 2 else {
            throw WaitingFailed(description: "The first dashboard failed: \(terminal.screen.text)")
        }
    }

    /// A dashboard that stands still.
    func terminal(rows: Int, columns: Int) throws -> PseudoTerminal {
        let copy = try UserFolder(copying: user)
        copies.append(copy)
        return try start(["-j", "2"], user: copy, rows: rows, columns: columns)
    }

    private func start(_ words: [String], user: UserFolder, rows: Int, columns: Int) throws -> PseudoTerminal {
        let start = ["/usr/bin/env", "-C", folder.path, try Program.path(), "-d", "files", "--stall-timeout", "3600"]
        let environment = user.environment.merging(["TERM": "tmux-256color"]) { $1 }
        return try PseudoTerminal(start + words, environment: environment, rows: rows, columns: columns)
    }
}
