import Glibc
import LoopbackServer
import Testing

/// What the user got wrong: one sentence, status 2, and nothing begun.
@Suite("Bad input", .timeLimit(.minutes(1)))
struct BadInputTests {
    /// One command line, and a piece of the sentence it deserves.
    struct Slip: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var names: String
        var testDescription: String { arguments.isEmpty ? "no arguments" : arguments.joined(separator: " ") }

        init(_ arguments: String..., names: String) {
            self.arguments = arguments
            self.names = names
        }
    }

    private static let url = "http://127.0.0.1:1/file"

    @Test(
        "A command line that cannot be meant is refused in one sentence",
        arguments: [
            Slip(names: "no URL"),
            Slip("--frobnicate", url, names: "--frobnicate"),
            Slip("--max", "3", url, names: "--max-concurrent, --max-per-host"),
            Slip("--dir", names: "--dir"),
            Slip("http://[::1", names: "http://[::1"),
            Slip("http://exa mple.org/", names: "space"),
            Slip("http://127.0.0.1:99999/", names: "99999"),
            Slip("", names: "empty"),
            Slip("ftp://127.0.0.1/file", names: "\"ftp\""),
            Slip("file:///etc/passwd", names: "\"file\""),
            Slip("-j", "0", url, names: "-j"),
            Slip("-j", "many", url, names: "\"many\""),
            Slip("-x", "0", url, names: "-x: expected auto or a number from 1 to 16"),
            Slip("-x", "500", url, names: "from 1 to 16"),
            Slip("-k", "1", url, names: "-k: not a number of bytes from 64k on"),
            Slip("upload", "-x", "4", "/etc/hostname", url, names: "-x: only for downloads"),
            Slip("--fps", "99", url, names: "--fps"),
            Slip("--limit-rate", "fast", url, names: "512k"),
            Slip("--limit-rate", "-5", url, names: "--limit-rate"),
            Slip("--limit-upload", "08:00,1k 08:00,2k", url, names: "twice"),
            Slip("--limit-rate-per-task", "25:00,1k", url, names: "08:00,512k"),
            Slip("--if-exists", "perhaps", url, names: "rename, skip, same, same-or-fail, overwrite, refresh"),
            Slip("--checksum", "sha-256=zz", url, names: "64 hexadecimal"),
            Slip("--checksum", "crc=00", url, names: "crc"),
            Slip("-H", "nothing", url, names: "colon"),
            Slip("-H", "X-One: a\r\nX-Two: b", url, names: "line break"),
            Slip("-o", "name", url, url + "2", names: "-o"),
            Slip("-o", "..", url, names: "-o"),
            Slip("--json", "-o", "-", url, names: "--json"),
            Slip("upload", "file", names: "upload"),
            Slip("request", "A", "B", "C", names: "C: expected name=value"),
            Slip("request", "GE T", url, names: "GE T"),
            Slip("--unix-socket", "/dev/null/s", url, names: "/dev/null/s"),
            Slip("--unix-socket", "/dev/null", url, names: "\"/dev/null\" is not a socket"),
            Slip("-4", "-6", url, names: "-6: cannot be combined with -4"),
            Slip("--resolve", "foo:80:notip", url, names: "\"notip\" is not an address"),
            Slip("--interface", "nope0", url, names: "no interface \"nope0\""),
            Slip("--cookie-jar", "/dev/null/jar", url, names: "/dev/null/jar"),
            Slip("--user", "@file:/dev/null", url, names: "--user"),
            Slip(
                "request", "-F", "b=2", "--data-urlencode", "a=1", url,
                names: "-F: cannot be combined with --data-urlencode"),
            Slip("-i", "no-such-list", names: "no-such-list"),
            // A file that opens and whose first page cannot be read.
            Slip("-i", "/proc/self/mem", names: "cannot read \"/proc/self/mem\""),
            Slip("upload", "no-such-file", url, names: "no-such-file"),
            Slip("upload", ".", url, names: "folder"),
            Slip("request", "-b", "@no-such-body", url, names: "no-such-body"),
        ])
    func slips(slip: Slip) async throws {
        let folder = try ScratchFolder()
        let result = try await ProgramRun.finished(slip.arguments, in: folder)
        Self.expectRefused(result, naming: slip.names)
        #expect(try folder.names.isEmpty)
    }

    @Test("The arguments are read where the C library got them, also when the environment was moved before main")
    func movedEnvironment() async throws {
        guard
            let environment = RefusingFileSystem.environment(refusing: [
                RefusingFileSystem.Call.environmentInPlace
            ])
        else { return }
        let result = try await ProgramRun.finished(["--version"], in: ScratchFolder(), environment: environment)
        #expect(result.status == 0 && result.text.hasPrefix("netdash "), "\(result.text) \(result.messages)")
    }

    @Test("A name that is a folder is refused before anything begins")
    func nameIsFolder() async throws {
        let folder = try ScratchFolder()
        mkdir(folder.path(of: "taken"), 0o700)
        let server = try Served.start(["/file": .file(count: 10)])
        Self.expectRefused(
            try await ProgramRun.finished(["-o", "taken", server.url("/file")], in: folder), naming: "taken")
        #expect(server.requestCount == 0)
    }

    @Test("A folder for downloads that is a file is refused")
    func folderIsFile() async throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "taken")
        Self.expectRefused(try await ProgramRun.finished(["-d", "taken", Self.url], in: folder), naming: "taken")
        #expect(folder.bytes(of: "taken") == Array("mine".utf8))
    }

    @Test("A folder and a file without permission are refused", .enabled(if: Unprivileged.isPossible))
    func permissions() async throws {
        let folder = try ScratchFolder()
        mkdir(folder.path(of: "locked"), 0o555)
        try folder.write("secret", to: "unreadable")
        chmod(folder.path(of: "unreadable"), 0o000)
        let unwritable = try await ProgramRun.finished(
            ["-d", "locked", Self.url], in: folder, before: Unprivileged.words)
        Self.expectRefused(unwritable, naming: "locked")
        let unreadable = try await ProgramRun.finished(
            ["upload", "unreadable", Self.url], in: folder, before: Unprivileged.words)
        Self.expectRefused(unreadable, naming: "unreadable")
    }

    @Test("A bad line in a list names the file and the line, and nothing begins")
    func badLine() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/good": .file(count: 10)])
        try folder.write("\(server.url("/good"))\n out=good\nftp://127.0.0.1/bad\n", to: "list")
        Self.expectRefused(try await ProgramRun.finished(["-i", "list"], in: folder), naming: "list:3:")
        #expect(try folder.names == ["list"])
        #expect(server.requestCount == 0)
    }

    @Test("An argument that is no text is refused, because other bytes would be sent")
    func bytes() async throws {
        let folder = try ScratchFolder()
        let words = "exec \"$@\" request --data-urlencode \"$(printf 'a=\\377')\" \(Self.url)"
        let result = try await ProgramRun.finished([], in: folder, before: ["/bin/sh", "-c", words, "sh"])
        Self.expectRefused(result, naming: "argument 3 is not UTF-8 text")
    }

    @Test("A socket at which nobody listens is named at the first attempt, and so is an address that is not here")
    func places() async throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "s")
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        let silent = try await ProgramRun.finished(["--unix-socket", path, Self.url], in: folder)
        #expect(silent.messages.contains("No listener on socket \(path)"), "\(silent.messages)")
        let absent = try await ProgramRun.finished(["--interface", "192.0.2.1", Self.url], in: folder)
        #expect(
            absent.status == 1 && absent.messages.contains("No interface or address 192.0.2.1"),
            "\(absent.messages)")
        for result in [silent, absent] { #expect(!result.messages.contains(" retry "), "\(result.messages)") }
    }

    @Test("Escape sequences in an argument do not reach the terminal")
    func escapes() async throws {
        let folder = try ScratchFolder()
        let result = try await ProgramRun.finished(["--\u{1B}]0;evil\u{7}\u{9B}31m"], in: folder)
        Self.expectRefused(result, naming: "unknown option")
        #expect(!result.messages.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(!result.messages.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
    }

    @Test(
        "Questions about the program are answered on standard output",
        arguments: ["--help", "--version", "--help-keys"])
    func questions(option: String) async throws {
        let result = try await ProgramRun.finished([option], in: ScratchFolder())
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.messages.isEmpty)
    }

    /// Status 2 and exactly one sentence that names what is wrong.
    static func expectRefused(
        _ result: ProgramRun.Result, naming piece: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == 2, "\(result.messages)", sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(result.lines.count == 1, "\(result.messages)", sourceLocation: sourceLocation)
        #expect(result.messages.hasPrefix("netdash: "), "\(result.messages)", sourceLocation: sourceLocation)
        #expect(result.messages.contains(piece), "\(result.messages)", sourceLocation: sourceLocation)
    }

    @Test(
        "A list in a pipe that nobody writes to can be left, and one that somebody writes is read",
        .timeLimit(.minutes(1)))
    func listInPipe() async throws {
        let folder = try ScratchFolder()
        let pipe = folder.path(of: "pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let stuck = try ProgramRun(["--plain", "-i", "pipe"], in: folder)
        // The pipe has a reader once the program has opened it.
        let writer = try await waitUntil("the program at the pipe") {
            let writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0 ? writer : nil
        }
        try stuck.signal(SIGINT)
        #expect(try await stuck.waitForEnd().status == 130)
        close(writer)
        let run = try ProgramRun(["--plain", "-i", "pipe"], in: folder)
        let other = try await waitUntil("the program at the pipe") {
            let writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0 ? writer : nil
        }
        #expect(write(other, "ftp://127.0.0.1/bad", 19) == 19)
        close(other)
        let result = try await run.waitForEnd()
        #expect(result.status == 2, "\(result.messages)")
        #expect(result.messages.contains("pipe:1:"), "\(result.messages)")
    }
}
