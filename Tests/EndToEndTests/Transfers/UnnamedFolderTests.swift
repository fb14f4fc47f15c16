import Foundation
import Glibc
import LoopbackServer
import Testing

/// Current folders that no text can name: their path is not UTF-8, they were removed, or their disk is gone.
@Suite("Folders without a path", .timeLimit(.minutes(1)))
struct UnnamedFolderTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer
    private let environment: [String: String]
    private let user: UserFolder

    init() throws {
        folder = try ScratchFolder()
        server = try Served.start(["/file": .file(seed: 1, count: 10)])
        user = try UserFolder()
        environment = try user.environmentWithService()
    }

    /// Runs the program behind a line of the shell.
    private func run(_ line: String, _ words: String...) async throws -> ProgramRun.Result {
        try await ProgramRun.finished(
            words, in: folder, environment: environment, before: ["/bin/sh", "-c", line + #"; exec "$0" "$@""#])
    }

    /// Makes a folder of three letters and a byte of Latin-1, and changes to it.
    private static let strange = #"d=$(printf 'caf\351'); mkdir -p "$d" && cd "$d""#
    private static let removed = "mkdir gone && cd gone && rmdir ../gone"

    @Test("What needs the path of a folder whose path is not UTF-8 is refused in a sentence, and makes no other folder")
    func notText() async throws {
        let commands = [["add"], ["--session", "s", "--plain"]].map { $0 + [server.url("/file")] } + [["serve"]]
        for words in commands {
            let refused = try await ProgramRun.finished(
                words, in: folder, environment: environment,
                before: ["/bin/sh", "-c", Self.strange + #"; exec "$0" "$@""#])
            #expect(refused.status == 2, "\(words): \(refused)")
            #expect(refused.messages.contains("path of the current folder is not UTF-8"), "\(refused.messages)")
            #expect(refused.lines.count == 1, "\(refused.messages)")
        }
        let named = try await run(
            Self.strange, "--session", "s", "--plain", "-d", folder.path(of: "named"), server.url("/file"))
        #expect(named.status == 0, "\(named.messages)")
        #expect(folder.bytes(of: "named/file")?.count == 10)
        let script = #"names=$(LC_ALL=C ls -b); printf %s "$names" | tr -d '\n' >found"#
        _ = try await ProgramRun.finished([], in: folder, before: ["/bin/sh", "-c", script])
        let found = String(decoding: folder.bytes(of: "found") ?? [], as: UTF8.self)
        #expect(found == #"caf\351named"#, "\(found)")
    }

    @Test("A run that saves nothing works in a folder whose path is not UTF-8, and its hooks find the file")
    func hookThere() async throws {
        let run = try await run(
            Self.strange, "--plain", "--on-complete", #"cat "$NETDASH_PATH" >../copy"#, server.url("/file"))
        #expect(run.status == 0 && folder.bytes(of: "copy")?.count == 10, "\(run.messages)")
    }

    @Test("A home folder, and a path in an argument, that are not UTF-8 are refused, and no other folder is made")
    func otherPlaces() async throws {
        let home = try await run(
            #"export HOME="$(printf 'h\366me')""#, "--session", "s", "--plain", server.url("/file"))
        #expect(home.status == 2 && home.messages.contains("HOME is not UTF-8 text"), "\(home)")
        let argument = try await ProgramRun.finished(
            ["--plain", server.url("/file")], in: folder, environment: environment,
            before: ["/bin/sh", "-c", #"exec "$0" "$@" -d "$(printf 'd\366')""#])
        #expect(argument.status == 2 && argument.messages.contains("argument 4 is not UTF-8 text: a path must be"))
        #expect(try folder.names.isEmpty)
    }

    @Test("What needs the path of a removed folder is refused in a sentence, and doctor names it")
    func gone() async throws {
        for words in [["add", server.url("/file")], ["--session", "s", "--plain", server.url("/file")], ["serve"]] {
            let refused = try await ProgramRun.finished(
                words, in: folder, environment: environment,
                before: ["/bin/sh", "-c", Self.removed + #"; exec "$0" "$@""#])
            #expect(refused.status == 2, "\(words): \(refused)")
            #expect(refused.messages.contains("current folder no longer exists"), "\(refused.messages)")
        }
        let report = try await run(Self.removed, "doctor")
        #expect(report.status == 1, "\(report.text)")
        #expect(report.text.contains("ERROR  downloads     .: the current folder no longer exists"), "\(report.text)")
    }
}
