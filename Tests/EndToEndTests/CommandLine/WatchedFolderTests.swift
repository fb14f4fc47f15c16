import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// A folder whose files become tasks, with the program that watches it.
@Suite("A watched folder of the program", .serialized, .timeLimit(.minutes(1)))
struct WatchedFolderTests {
    /// A folder to drop files into beside the one for downloads.
    private struct Drop {
        let shared: SharedService
        var folder: ScratchFolder { shared.download.folder }

        init() throws {
            shared = try SharedService()
            for name in ["drop", "files"] {
                try FileManager.default.createDirectory(
                    atPath: shared.download.folder.path(of: name), withIntermediateDirectories: false)
            }
        }

        func drop(_ name: String, _ text: String) throws {
            let file = try folder.write(text, to: "fresh")
            guard rename(file, folder.path(of: "drop/" + name)) == 0 else {
                throw WaitingFailed(description: "\(name) was not moved: errno \(errno)")
            }
        }

        func waitForNames(_ names: [String], in place: String) async throws {
            _ = try await waitUntil("\(names) in \(place)") {
                (try? ScratchFolder.names(in: folder.path(of: "drop/" + place))) == names ? true : nil
            }
        }
    }

    @Test("A service takes every kind of file, and saves the tasks before the files are done")
    func service() async throws {
        let drop = try Drop()
        let server = drop.shared.download.server
        for name in ["a", "b", "c", "d", "e", "f"] { server.setRoute("/" + name, .respond(.text(name))) }
        try drop.drop("a.url", "[InternetShortcut]\r\nURL=\(server.url("/a"))\r\n")
        let service = try await drop.shared.serve("--watch", "drop", "-d", "files")
        try drop.drop("b.txt", "\(server.url("/b"))\n  out=sub/b.bin\n\(server.url("/c"))\n")
        try drop.drop(
            "d.meta4",
            """
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="d"><url>\(server.url("/d"))</url></file></metalink>
            """)
        try drop.drop("e.curl", "curl -O \(server.url("/e")) \\\n  -H 'X-Mark: 7'\n")
        try drop.drop("f.http", "GET \(server.url("/f"))\n")
        try drop.drop("bad.txt", "\(server.url("/never"))\n  nothing=1\n")
        try await drop.waitForNames(["a.url", "b.txt", "d.meta4", "e.curl", "f.http"], in: "done")
        try await drop.waitForNames(["bad.txt", "bad.txt.reason"], in: "refused")
        #expect(try await drop.shared.run("wait").status == 0)
        for name in ["a", "c", "d", "e"] { #expect(drop.folder.bytes(of: "files/" + name) == Array(name.utf8)) }
        #expect(drop.folder.bytes(of: "files/sub/b.bin") == Array("b".utf8))
        #expect(server.requests(for: "/e").first?.header("X-Mark") == "7" && server.requests(for: "/f").count == 1)
        #expect(server.requests(for: "/never").isEmpty)
        #expect(try await drop.shared.run("stop").status == 0)
        let end = try await service.waitForEnd()
        #expect(end.status == 0 && end.lines.count { $0.hasPrefix("Watch: ") } == 5, "\(end.messages)")
        #expect(end.lines.contains { $0.hasPrefix("netdash: Watch: bad.txt refused: bad.txt:2: ") }, "\(end.messages)")
    }

    @Test("Tasks of dropped files get the service's options, and a name that is no text is told")
    func options() async throws {
        let drop = try Drop()
        let server = drop.shared.download.server
        for name in ["a", "b"] { server.setRoute("/" + name, .respond(.text(name))) }
        try drop.folder.write("there", to: "files/a")
        let alone = try await ProgramRun.finished(["serve", "-H", "X-Team: 7"], in: drop.folder)
        #expect(alone.status == 2 && alone.messages.contains("-H: needs --watch"), "\(alone.messages)")
        let service = try await drop.shared.serve(
            "--watch", "drop", "-d", "files", "-H", "X-Team: 7", "--if-exists", "skip")
        var raw = Array(drop.folder.path(of: "drop/").utf8)
        raw += [0xFF]
        raw += Array(".url".utf8) + [0]
        close(open(raw.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT, 0o600))
        try drop.drop("a.txt", server.url("/a") + "\n")
        try drop.drop("b.curl", "curl -O \(server.url("/b"))\n")
        try await drop.waitForNames(["a.txt", "b.curl"], in: "done")
        #expect(try await drop.shared.run("wait").status == 0)
        #expect(server.requests(for: "/a").isEmpty && drop.folder.bytes(of: "files/a") == Array("there".utf8))
        #expect(server.requests(for: "/b").map { $0.header("X-Team") } == ["7"])
        #expect(try await drop.shared.run("stop").status == 0)
        let end = try await service.waitForEnd()
        #expect(end.messages.contains("Watch: \u{FFFD}.url stays: its name is not UTF-8"), "\(end.messages)")
    }

    @Test("A window passes the folder to the service that it starts, which then does not end by itself")
    func window() async throws {
        let drop = try Drop()
        drop.shared.download.server.setRoute("/later", .respond(.text("later")))
        let window = try drop.shared.window("-d", "files", "--watch", "drop")
        try drop.drop("list.txt", drop.shared.download.server.url("/later") + "\n")
        try await window.waitForScreen("the dropped task") { $0.text.contains("done 1") }
        try drop.drop("wrong.url", "URL=x\n")
        try await window.waitForToast("wrong.url refused")
        let process = try await drop.shared.process()
        let words = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0")
        #expect(words.contains("--watch=drop") && !words.contains { $0.hasPrefix("--idle-exit") }, "\(words)")
        // A second window that names a folder is told that the service runs without it.
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        let second = try drop.shared.window("--watch", "files")
        try await second.waitForToast("runs already, without --watch")
        try second.type("D")
        #expect(try await second.waitForEnd() == 0)
        #expect(try await drop.shared.run("stop").status == 0)
    }

    @Test("A window that has the tasks itself watches, by the configuration too")
    func ownProcess() async throws {
        let drop = try Drop()
        drop.shared.download.server.setRoute("/own", .respond(.text("own")))
        let config = try #require(drop.shared.environment["XDG_CONFIG_HOME"]) + "/netdash"
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try "watch = \(drop.folder.path(of: "drop"))\nno-service = yes\n".write(
            toFile: config + "/config", atomically: true, encoding: .utf8)
        let window = try drop.shared.window("-d", "files")
        try drop.drop("list.txt", drop.shared.download.server.url("/own") + "\n")
        try await window.waitForScreen("the dropped task") { $0.text.contains("done 1") }
        try await drop.waitForNames(["list.txt"], in: "done")
        try window.type("q")
        #expect(try await window.waitForEnd() == 0)
        #expect(drop.folder.bytes(of: "files/own") == Array("own".utf8))
    }

    @Test("A folder of the command line that is missing, or none, ends serve at the start with one sentence")
    func missingFolder() async throws {
        let shared = try SharedService()
        try shared.download.folder.write("", to: "file")
        for (path, problem) in [("none", "no folder \"none\"; create it first"), ("file", "cannot watch \"file\": ")] {
            let result = try await shared.run("serve", "--watch", path)
            #expect(result.status == 2, "\(result)")
            #expect(result.messages.hasPrefix("netdash: --watch: \(problem)"), "\(result)")
        }
        #expect(try await shared.run("status").status == 1)
    }

    @Test("Lines do not watch: a run ends with its last task")
    func lines() async throws {
        let shared = try SharedService()
        let result = try await shared.run("--plain", "--watch", ".", shared.download.url)
        #expect(result.status == 2 && result.messages.hasPrefix("netdash: --watch: "), "\(result)")
        #expect(shared.download.server.requests.isEmpty)
    }
}
