import Foundation
import Glibc
import LoopbackServer
import Testing

/// Outputs that an option names and that are no new files.
@Suite("Named outputs", .timeLimit(.minutes(1)))
struct NamedOutputTests {
    private static let content = DeterministicContent(seed: 4, count: 300_000).bytes

    private static func start() throws -> LoopbackServer {
        try Served.start(["/file": .file(seed: 4, count: 300_000)])
    }

    /// What the mode's kind says of a path, links not followed.
    private static func kind(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// A node of the test's own that is what `/dev/null` is.
    private static func device(_ path: String) -> Bool {
        mknod(path, S_IFCHR | 0o666, 1 << 8 | 3) == 0
    }

    /// What is written into a pipe until its writers have closed it; nil where it cannot be opened or read.
    ///
    /// Foundation reads no pipe by its path: it opens it without waiting for a writer, and refuses what is no file.
    private static func readPipe(_ path: String) -> [UInt8]? {
        let pipe = open(path, O_RDONLY | O_CLOEXEC)
        guard pipe >= 0 else { return nil }
        defer { close(pipe) }
        var content: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(pipe, &bytes, bytes.count)
            guard count > 0 else { return count == 0 ? content : nil }
            content += bytes.prefix(count)
        }
    }

    @Test("A pipe without a reader is waited for, and that is said")
    func pipeWithoutReader() async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        let pipe = folder.path(of: "pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let run = try ProgramRun(["--plain", "-o", "pipe", server.url("/file")], in: folder)
        try await run.waitForMessages("the line about the pipe") { $0.contains("Waits for a reader of ./pipe") }
        let read = Task.detached { Self.readPipe(pipe) }
        #expect(try await run.waitForEnd().status == 0)
        #expect(await read.value == Self.content)
    }

    @Test(
        "Standard output by its name is standard output, for a download and for a request, under every policy",
        arguments: ["/dev/stdout", "/dev/fd/1", "link"], ["download", "request"])
    func standardOutput(name: String, command: String) async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        try #require(symlink("/proc/self/fd/1", folder.path(of: "link")) == 0)
        for policy in command == "request" ? [nil] : ["rename", "overwrite", "refresh"] {
            let words = [command, "--plain"] + (policy.map { ["--if-exists", $0] } ?? [])
            let result = try await ProgramRun.finished(words + ["-o", name, server.url("/file")], in: folder)
            #expect(result.status == 0, "\(result.messages)")
            #expect(result.output == Self.content)
        }
        #expect(Self.kind(folder.path(of: "link")) == S_IFLNK)
        #expect(try folder.names == ["link"])
    }

    @Test(
        "A device takes a download, a request and the list of what has failed, and stays",
        .enabled(if: geteuid() == 0))
    func devices() async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        let path = folder.path(of: "null")
        guard Self.device(path) else { return }
        let file = server.url("/file")
        let runs: [([String], Int)] = [
            (["--plain", "-o", "null", file], 0), (["--plain", "--if-exists", "overwrite", "-o", "null", file], 0),
            (["request", "--plain", "-o", "null", file], 0),
            (["--plain", "--session", "s", "-o", "null", file], 0),
            (["--plain", "-d", "x", "--failed-to", "null", server.url("/missing")], 1),
            (["--plain", "-d", "x", "--log", "null", server.url("/missing")], 1),
        ]
        for (words, status) in runs {
            let result = try await ProgramRun.finished(words, in: folder)
            #expect(result.status == status, "\(words): \(result.messages)")
            #expect(Self.kind(path) == S_IFCHR, "\(words)")
        }
        #expect(try folder.names.filter { $0 != "x" } == ["null"])
    }

    @Test("A pipe takes a download, whether something reads it already or not", arguments: [true, false])
    func pipe(isReadFirst: Bool) async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let words = ["--plain", "-o", "pipe", server.url("/file")]
        let reading = { Task.detached { Self.readPipe(path) } }
        let early = isReadFirst ? reading() : nil
        let run = try ProgramRun(words, in: folder)
        if !isReadFirst { try await run.waitForMessages("the answer") { $0.contains("response 200") } }
        let reader = early ?? reading()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        // Where the program never wrote, the reader waits for a writer still.
        let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if writer >= 0 { close(writer) }
        #expect(await reader.value == Self.content)
        #expect(Self.kind(path) == S_IFIFO)
        #expect(try folder.names == ["pipe"])
    }

    @Test(
        "A pipe that is not read holds only its own download up, whether it has a reader or not",
        arguments: [true, false], ["--json", "--plain"])
    func unreadPipe(hasReader: Bool, output: String) async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        let gate = try server.gate(named: "other")
        var other = ScriptedResponse.text("other")
        other.gateBeforeHead = gate
        server.setRoute("/other", .respond(other))
        server.setRoute("/large", .file(seed: 4, count: 4 << 20))
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = hasReader ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1
        defer { if reader >= 0 { close(reader) } }
        let list = server.url("/large") + "\n  out=pipe\n" + server.url("/other") + "\n"
        try folder.write(list, to: "list")
        let run = try ProgramRun([output, "-i", "list"], in: folder)
        func told() -> String { run.messages + String(decoding: run.output, as: UTF8.self) }
        _ = try await waitUntil("the pipe's response", otherwise: told) {
            told().contains(output == "--json" ? "\"status\":200" : "response 200") ? true : nil
        }
        gate.release()
        _ = try await waitUntil("the other's end", otherwise: told) { told().contains("completed") ? true : nil }
        #expect(folder.bytes(of: "other") == Array("other".utf8))
        // It is cancelled at once, too.
        kill(run.process, SIGINT)
        _ = try await run.waitForEnd()
        #expect(Self.kind(path) == S_IFIFO)
    }

    @Test("What is overwritten keeps its mode, and a link to it stays a link", arguments: ["download", "request"])
    func kept(command: String) async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        try folder.write("old", to: "real")
        try #require(chmod(folder.path(of: "real"), 0o600) == 0)
        try #require(symlink("real", folder.path(of: "link")) == 0)
        let words = command == "request" ? [command] : ["--if-exists", "overwrite"]
        let result = try await ProgramRun.finished(
            words + ["--plain", "-o", "link", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "real") == Self.content)
        #expect(Self.kind(folder.path(of: "link")) == S_IFLNK)
        var status = stat()
        #expect(stat(folder.path(of: "real"), &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    @Test(
        "A file in a folder that takes no new one is written in place, and it is said",
        .enabled(if: Unprivileged.isPossible), arguments: ["download", "request"])
    func inPlace(command: String) async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        try folder.write("old", to: "file")
        chmod(folder.path(of: "file"), 0o666)
        chmod(folder.path, 0o755)
        let words = command == "request" ? [command] : ["--if-exists", "overwrite"]
        let result = try await ProgramRun.finished(
            words + ["--plain", "--ephemeral", "-o", folder.path(of: "file"), server.url("/file")], in: folder,
            before: Unprivileged.words)
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.messages.contains("written in place"), "\(result.messages)")
        #expect(folder.bytes(of: "file") == Self.content)
        #expect(try folder.names == ["file"])
    }

    @Test("A request that fails before it is sent leaves nothing", arguments: ["request", "upload"])
    func failedEarly(command: String) async throws {
        let folder = try ScratchFolder()
        try folder.write("body", to: "body")
        let words = command == "upload" ? ["upload", "--plain", "-o", "answer", "body"] : ["request", "-o", "answer"]
        for url in [try Served.refusedURL(), "http://127.0.0.1:1/\u{7F}x", "http://[::1/"] {
            let result = try await ProgramRun.finished(
                words + ["--retries", "0", "-H", "Content-Length: 9", url], in: folder)
            #expect(result.status != 0)
            #expect(try folder.names == ["body"], "\(url)")
        }
    }

    @Test("A killed request's part is found by the command parts")
    func killed() async throws {
        let (server, folder) = (try Served.start(), try ScratchFolder())
        let gate = try server.gate(named: "middle")
        let complete = Behaviour.resource(ServedResource(seed: 4, count: 300_000))
        server.setRoute("/file", complete.stalling(after: 200_000, until: gate))
        let run = try ProgramRun(["request", "--plain", "-o", "answer", server.url("/file")], in: folder)
        _ = try await waitUntil("a part", otherwise: { run.messages }) {
            (try? folder.parts.count) == 1 ? true : nil
        }
        kill(run.process, SIGKILL)
        _ = try await run.waitForEnd()
        gate.release()
        let removed = try await ProgramRun.finished(["parts", "--remove", "."], in: folder)
        #expect(removed.status == 0 && removed.text.contains("Removed 1 file"), "\(removed.text)")
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "Downloads of one run whose URLs end alike never take each other's place, and each says so",
        arguments: ["overwrite", "refresh", "skip"])
    func sameNames(policy: String) async throws {
        let (server, folder) = (try Served.start(), try ScratchFolder())
        let gate = try server.gate(named: "first")
        for (name, text) in [("a", "first"), ("b", "second"), ("c", "third")] {
            var response = ScriptedResponse.text(text)
            if name == "a" { response.gateBeforeHead = gate }
            server.setRoute("/\(name)/data", .respond(response))
        }
        // The first is answered when the others have ended.
        let run = try ProgramRun(
            ["--plain", "--if-exists", policy] + ["a", "b", "c"].map { server.url("/\($0)/data") }, in: folder)
        try await run.waitForMessages("the others") { $0.components(separatedBy: "completed, ").count == 3 }
        gate.release()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        for (name, text) in [("data", "first"), ("data (1)", "second"), ("data (2)", "third")] {
            #expect(folder.bytes(of: name) == Array(text.utf8), "\(name): \(result.messages)")
        }
        #expect(result.messages.components(separatedBy: "Another download of this run has the name data").count == 3)
    }

    @Test("A line whose numbered file is missing is fetched, not skipped because of another line's file")
    func missingNumber() async throws {
        let (server, folder) = (try Served.start(), try ScratchFolder())
        var list = ""
        for name in ["a", "b", "c"] {
            server.setRoute("/\(name)", .respond(.text(name)))
            list += server.url("/\(name)") + "\n  out=data\n"
        }
        try folder.write(list, to: "list")
        // As a run leaves it that was killed after its first file.
        try folder.write("a", to: "data")
        for requests in [2, 0] {
            let before = server.requestCount
            let result = try await ProgramRun.finished(["--plain", "--if-exists", "skip", "-i", "list"], in: folder)
            #expect(result.status == 0 && server.requestCount - before == requests, "\(result.messages)")
            for (name, text) in [("data", "a"), ("data (1)", "b"), ("data (2)", "c")] {
                #expect(folder.bytes(of: name) == Array(text.utf8), "\(name)")
            }
        }
    }

    @Test("Two bodies of one list are not written to one file")
    func sameOutputs() async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        server.setRoute("/other", .respond(.text("other")))
        let paragraphs = ["/file", "/other"].map { server.url($0) + "\n  kind=data\n  out=answer\n" }
        try folder.write(paragraphs.joined(), to: "list")
        let result = try await ProgramRun.finished(["--plain", "-j", "1", "-i", "list"], in: folder)
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.messages.contains("Another task already writes to"))
        #expect(folder.bytes(of: "answer") == Self.content)
    }

    @Test("A folder that has the name from the server gives the file a number")
    func folderAtTheName() async throws {
        let (server, folder) = (try Self.start(), try ScratchFolder())
        try FileManager.default.createDirectory(atPath: folder.path(of: "file"), withIntermediateDirectories: false)
        for policy in ["rename", "overwrite", "skip", "refresh"] {
            let result = try await ProgramRun.finished(
                ["--plain", "--if-exists", policy, server.url("/file")], in: folder)
            #expect(result.status == 0, "\(result.messages)")
            #expect(folder.bytes(of: "file (1)") == Self.content)
            #expect(unlink(folder.path(of: "file (1)")) == 0)
        }
        let fixed = try await ProgramRun.finished(["--plain", "-o", "file", server.url("/file")], in: folder)
        #expect(fixed.status != 0)
    }

    @Test("A killed run's description of a file that is whole goes when the file is left as it is")
    func orphanedMeta() async throws {
        let (server, folder) = (try Served.start(), try ScratchFolder())
        server.setRoute("/file", .file(seed: 4, count: 300_000).cutting(after: 200_000))
        let words = ["--plain", "--retries", "0", server.url("/file")]
        #expect(try await ProgramRun.finished(words, in: folder).status != 0)
        // As a run leaves it that is killed when it has named the file.
        let part = try #require(try folder.parts.first)
        try #require(rename(folder.path(of: part), folder.path(of: "file")) == 0)
        let result = try await ProgramRun.finished(["--if-exists", "skip"] + words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(try folder.names == ["file"])
    }

    @Test(
        "A pipe is no place of certificates, which are read more than once", arguments: ["--cacert", "--cert", "--key"])
    func certificates(option: String) async throws {
        let folder = try ScratchFolder()
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.write("x", to: "cert")
        let words = option == "--key" ? ["--cert", "cert"] : []
        let result = try await ProgramRun.finished(
            ["--plain"] + words + [option, "pipe", "https://127.0.0.1:1/"], in: folder)
        #expect(result.status == 2 && result.messages.contains("is a pipe or a device"), "\(result.messages)")
    }
}

/// Bodies of requests that are no files with a size.
@Suite("Bodies without a size", .timeLimit(.minutes(1)))
struct BodyWithoutSizeTests {
    @Test("What the kernel makes while it is read is sent whole", arguments: ["upload", "body", "form"])
    func kernelFile(route: String) async throws {
        let server = try Served.start(["/in/x": .handler { _ in .text("ok") }])
        let folder = try ScratchFolder()
        let expected = try #require(FileManager.default.contents(atPath: "/proc/version"))
        let url = server.url("/in/x")
        let words =
            switch route {
            case "upload": ["upload", "/proc/version", url]
            case "body": ["request", "-b", "@/proc/version", url]
            default: ["request", "-F", "f=@/proc/version", url]
            }
        let result = try await ProgramRun.finished(words + ["--plain"], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let request = try #require(server.requests.first)
        #expect(request.header("Transfer-Encoding") == "chunked")
        if route == "form" {
            #expect(request.bodyByteCount > Int64(expected.count))
        } else {
            #expect(request.bodyByteCount == Int64(expected.count))
        }
    }

    @Test("What a command writes into a pipe is sent whole, alone and in a form", arguments: ["upload", "form"])
    func substitution(route: String) async throws {
        let server = try Served.start(["/in/x": .handler { _ in .text("ok") }])
        let folder = try ScratchFolder()
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let url = server.url("/in/x")
        let run = try ProgramRun(
            (route == "form" ? ["request", "-F", "f=@pipe", url] : ["upload", "pipe", url]) + ["--plain"], in: folder)
        let writer = Task.detached {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            let bytes = [UInt8](repeating: 0x61, count: 100_000)
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
                guard count > 0 else { break }
                sent += count
            }
            close(file)
            return sent
        }
        #expect(await writer.value == 100_000)
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        let sent = try #require(server.requests.first).bodyByteCount
        #expect(route == "form" ? sent > 100_000 : sent == 100_000)
    }
}
