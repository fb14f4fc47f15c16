import LoopbackServer
import TerminalTestSupport

/// A server with one file that stands still in the middle until the test lets it go on.
final class HeldDownload {
    static let content = DeterministicContent(seed: 9, count: 400_000)
    /// How many bytes pass before it stands still.
    static let passed: Int64 = 100_000

    let server: LoopbackServer
    let folder: ScratchFolder
    private let gate: Gate

    init() throws {
        server = try Served.start()
        folder = try ScratchFolder()
        gate = try server.gate(named: "middle")
        let whole = Behaviour.resource(ServedResource(seed: Self.content.seed, count: Self.content.count))
        server.setRoute("/file.bin", .sequence([whole.stalling(after: Self.passed, until: gate), whole]))
    }

    var url: String { server.url("/file.bin") }

    /// The bytes of the file once it has its name.
    var file: [UInt8]? { folder.bytes(of: "file.bin") }

    /// Lets it go on.
    func release() { gate.release() }

    /// The dashboard on a terminal of its own, once it shows the download standing still; `before` stands in front of
    /// the program's name.
    func dashboard(
        options: [String] = [], environment: [String: String] = [:], before: [String] = [], rows: Int = 24,
        columns: Int = 80
    ) async throws -> PseudoTerminal {
        let words = before + [try Program.path(), "-d", folder.path] + options + [url]
        let terminal = try PseudoTerminal(words, environment: environment, rows: rows, columns: columns)
        try await terminal.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        return terminal
    }
}
