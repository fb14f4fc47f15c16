import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// aria2's interface of the program itself, and the program in aria2c's place.
@Suite("aria2's interface and aria2c's arguments", .serialized, .timeLimit(.minutes(1)))
struct AriaInterfaceTests {
    private static let token = "token-of-a-test-0123456789"

    /// A service with the interface on a socket in its folder.
    private static func serve(_ shared: SharedService, _ options: String...) async throws -> ProgramRun {
        let service = try ProgramRun(
            ["serve", "--rpc=unix:rpc.sock"] + options, in: shared.download.folder,
            environment: shared.environment.merging(["TOKEN": token]) { $1 })
        try await service.waitForMessages("the interface") { $0.contains("aria2 RPC at") }
        return service
    }

    private static func call(_ shared: SharedService, _ method: String, _ parameters: String) async throws -> String {
        let text = #"{"id":1,"method":"aria2.\#(method)","params":["token:\#(token)"\#(parameters)]}"#
        let result = try await ProgramRun.finished(
            [
                "POST", "http://localhost/jsonrpc", "--unix-socket", "rpc.sock", "--ephemeral", "--quiet", "--data",
                text,
            ], in: shared.download.folder)
        return result.text
    }

    @Test("After a kill the tasks of a client are there again under their GIDs, and its token was never to be seen")
    func kills() async throws {
        let shared = try SharedService()
        let service = try await Self.serve(shared, "--rpc-secret=@env:TOKEN")
        let chosen = "aabbccddeeff0011"
        _ = try await Self.call(
            shared, "addUri", #",["http://127.0.0.1:9/waits"],{"gid":"\#(chosen)","pause":"true"}"#)
        let added = try await Self.call(shared, "addUri", #",["\#(shared.download.url)"]"#)
        let own = try #require(added.firstMatch(of: /"result":"([0-9a-f]{16})"/)?.1)
        try await shared.waitForStatus("the download in the middle") { $0.contains("25%") }
        #expect(try await Self.call(shared, "pause", #","\#(own)""#).contains(String(own)))
        try await shared.save()
        let process = try await shared.process()
        let words = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))
        #expect(!String(decoding: words, as: UTF8.self).contains(Self.token))
        kill(process, SIGKILL)
        _ = try await service.waitForEnd()
        let again = try await Self.serve(shared, "--rpc-secret=@env:TOKEN")
        let waiting = try await Self.call(shared, "tellWaiting", #",0,9,["gid","status"]"#)
        #expect(
            waiting.contains(
                #"[{"gid":"\#(chosen)","status":"paused"},{"gid":"\#(own)","status":"paused"},"#), "\(waiting)")
        shared.download.release()
        _ = try await Self.call(shared, "unpause", #","\#(own)""#)
        _ = try await waitUntil("the file") { shared.download.file }
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await again.waitForEnd().status == 0)
    }

    @Test("A download that is added again is told by its own GID, and an out that is a folder is refused")
    func additions() async throws {
        let shared = try SharedService()
        let service = try await Self.serve(shared, "--rpc-secret=@env:TOKEN")
        func add(_ out: String) async throws -> String {
            try await Self.call(
                shared, "addUri", #",["http://127.0.0.1:9/u"],{"out":"\#(out)","pause":"true"}"#)
        }
        let (first, other) = (try await add("p/q"), try await add("r/s"))
        #expect(first.contains(/"result":"[0-9a-f]{16}"/) && first != other)
        #expect(try await add("p/q") == first)
        for folder in [".", "a/.", "./.", "a/", "/tmp/."] {
            let answer = try await add(folder)
            #expect(answer.contains(#""error""#), "\(folder): \(answer)")
        }
        #expect(try await Self.call(shared, "tellWaiting", ",-1,0").contains(#""result":[]"#))
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
        #expect(try await shared.run("parts", shared.download.folder.path).status == 0)
    }

    @Test("A client that ends the service is told to windows as its end")
    func shutdown() async throws {
        let shared = try SharedService()
        let service = try await Self.serve(shared, "--rpc-secret=@env:TOKEN")
        let window = try shared.window(shared.download.url)
        try await window.waitForScreen("the row") { $0.text.contains("file.bin") }
        _ = try await Self.call(shared, "shutdown", "")
        #expect(try await service.waitForEnd().status == 0)
        try await window.waitForScreen("the end of the service") { $0.text.contains("service stopped") }
        try window.type("q")
        #expect(try await window.waitForEnd() == 0)
    }

    @Test("No service without a saved session has the GIDs of another one")
    func runs() async throws {
        let folder = try ScratchFolder()
        var gids: Set<String> = []
        for _ in 0..<2 {
            let run = try await Self.interface(
                ["aria2c", "--enable-rpc", "--pause", "http://127.0.0.1:9/a"], in: folder)
            let address = try #require(run.messages.firstMatch(of: /aria2 RPC at (\S+)/)?.1)
            let answer = try await ProgramRun.finished(
                [
                    "POST", "http://\(address)/jsonrpc", "--ephemeral", "--quiet", "--data",
                    #"{"id":1,"method":"aria2.tellWaiting","params":[0,9,["gid"]]}"#,
                ], in: folder)
            gids.insert(String(try #require(answer.text.firstMatch(of: /"gid":"([0-9a-f]{16})"/)?.1)))
            try run.signal(SIGTERM)
            #expect(try await run.waitForEnd().status == 0)
        }
        #expect(gids.count == 2)
    }

    @Test("A service that cannot have its interface again starts without it, says so, and takes what is added")
    func lostSecret() async throws {
        let shared = try SharedService()
        try shared.download.folder.write(Self.token, to: "token")
        let service = try await Self.serve(shared, "--rpc-secret=@file:token")
        try await shared.run("add", shared.download.url)
        kill(try await shared.process(), SIGKILL)
        _ = try await service.waitForEnd()
        unlink(shared.download.folder.path + "/token")
        shared.download.server.setRoute("/small", .file(count: 10))
        let added = try await shared.run("add", shared.download.server.url("/small"))
        #expect(added.status == 0 && added.text == "2\n", "\(added)")
        #expect(added.messages.contains("earlier settings"), "\(added)")
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        #expect(shared.download.folder.bytes(of: "small")?.count == 10)
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("The interface of aria2c's arguments hides its token, and its list is there from the first answer on")
    func hiddenToken() async throws {
        let shared = try SharedService()
        let folder = shared.download.folder
        try folder.write("http://127.0.0.1:9/a\n gid=aabbccddeeff0011\n pause=true\n", to: "list")
        try folder.write("max-concurrent-downloads=3\nenable-rpc\n", to: "aria2.conf")
        let words = ["aria2c", "--conf-path=aria2.conf", "-i", "list", "--rpc-secret=" + Self.token]
        let run = try await Self.interface(words, in: folder)
        let shown = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(run.process)/cmdline"))
        #expect(!String(decoding: shown, as: UTF8.self).contains(Self.token))
        let address = try #require(run.messages.firstMatch(of: /aria2 RPC at (\S+)/)?.1)
        let calls = [
            #"{"id":1,"method":"aria2.tellWaiting","params":["token:\#(Self.token)",0,9,["gid"]]}"#,
            #"{"id":2,"method":"aria2.getGlobalOption","params":["token:\#(Self.token)"]}"#,
        ]
        let answer = try await ProgramRun.finished(
            ["POST", "http://\(address)/jsonrpc", "--ephemeral", "--quiet", "--data", "[\(calls[0]),\(calls[1])]"],
            in: folder)
        #expect(answer.text.contains(#""result":[{"gid":"aabbccddeeff0011"}]"#), "\(answer)")
        #expect(answer.text.contains(#""max-concurrent-downloads":"3""#), "\(answer)")
        try run.signal(SIGTERM)
        #expect(try await run.waitForEnd().status == 0)
    }

    /// A run whose interface listens at a port that was free a moment ago, or at another one where it no longer was.
    private static func interface(_ words: [String], in folder: ScratchFolder) async throws -> ProgramRun {
        while true {
            let run = try ProgramRun(words + ["--rpc-listen-port=\(try Served.freePort())"], in: folder)
            try await run.waitForMessages("the interface") {
                $0.contains("aria2 RPC at") || $0.contains("Address already in use")
            }
            if run.messages.contains("aria2 RPC at") { return run }
        }
    }

    @Test("Downloads of aria2c's arguments: connections, names, folders, digests, lists, and -Z")
    func downloads() async throws {
        let content = DeterministicContent(seed: 5, count: 3 << 20)
        let served = Behaviour.resource(ServedResource(seed: content.seed, count: content.count))
        let server = try Served.start(["/a": served, "/b": served, "/c": .respond(.text("hello"))])
        let folder = try ScratchFolder()
        func run(_ words: String...) async throws -> ProgramRun.Result {
            try await ProgramRun.finished(["aria2c", "-q"] + words, in: folder)
        }
        // The SHA-256 of "hello".
        let digest = "sha-256=2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        let (a, b, c) = (server.url("/a"), server.url("/b"), server.url("/c"))
        var result = try await run("-x4", "-s", "4", "-k1M", "-d", "in", "-o", "name", a, b)
        #expect(result.status == 0 && folder.bytes(of: "in/name") == content.bytes, "\(result)")
        result = try await run("--checksum=" + digest, c)
        #expect(result.status == 0 && folder.bytes(of: "c") == Array("hello".utf8), "\(result)")
        result = try await run("--checksum=" + digest, "-o", "wrong", a)
        #expect(result.status != 0 && folder.bytes(of: "wrong") == nil, "\(result)")
        try folder.write("\(a)\t\(b)\n  out=one\n\(c)\n  dir=two\n", to: "list")
        result = try await run("-i", "list")
        #expect(result.status == 0 && folder.bytes(of: "one") == content.bytes, "\(result)")
        #expect(folder.bytes(of: "two/c") == Array("hello".utf8))
        result = try await run("-Z", "-d", "each", a, c)
        #expect(result.status == 0 && folder.bytes(of: "each/a") == content.bytes, "\(result)")
        #expect(folder.bytes(of: "each/c") == Array("hello".utf8))
    }

    @Test("What aria2c refuses, cannot read or does not find ends with its statuses")
    func statuses() async throws {
        let server = try Served.start(["/f": .respond(.text("hello"))])
        let folder = try ScratchFolder()
        let (file, missing) = (server.url("/f"), server.url("/missing"))
        let cases: [([String], Int32)] = [
            (["--bogus-option", file], 28), (["--uri-selector=x", file], 28), (["-i", "nothing"], 1),
            (["--conf-path=nothing", file], 1), (["--log=nothing/x", file], 1),
            (["nothing.meta4"], 1), (["-M", "nothing"], 28), ([missing], 3), (["--max-file-not-found=1", missing], 4),
            (["--load-cookies=nothing", "--netrc-path=nothing", "--out=", file], 0),
        ]
        for (words, status) in cases {
            let result = try await ProgramRun.finished(["aria2c", "-q"] + words, in: folder)
            #expect(result.status == status, "\(words): \(result)")
        }
        #expect(folder.bytes(of: "f") == Array("hello".utf8))
    }
}
