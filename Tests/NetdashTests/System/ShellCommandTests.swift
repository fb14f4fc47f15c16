import Testing

@testable import TransferService

/// Commands whose output is read.
@Suite("Shell commands", .timeLimit(.minutes(1)))
struct ShellCommandTests {
    private func output(_ text: String, input: String = "", milliseconds: Int32 = 50_000) throws -> String {
        let command = ShellCommand(text: text, environment: ["PATH": "/usr/bin:/bin"], timeLimit: milliseconds)
        return String(decoding: try command.output(input: Array(input.utf8)), as: UTF8.self)
    }

    @Test("A command gets its input and gives its output")
    func reads() throws {
        #expect(try output("cat; echo more", input: "text\n") == "text\nmore\n")
    }

    @Test("A process that it leaves behind does not delay its end")
    func leavesProcess() throws {
        #expect(try output("sleep 3 & echo left") == "left\n")
    }

    @Test(
        "A failure has its cause",
        arguments: [
            ("echo why >&2; exit 4", 50_000, "exit status 4: why"), ("kill -9 $$", 50_000, "killed by signal 9"),
            ("sleep 300", 1, "no end after 0 s"),
        ])
    func fails(text: String, milliseconds: Int32, cause: String) {
        #expect(throws: ShellCommand.Failure(cause: cause)) { try output(text, milliseconds: milliseconds) }
    }
}
