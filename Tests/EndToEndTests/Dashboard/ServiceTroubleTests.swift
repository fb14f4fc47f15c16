import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Services, windows and scripts in trouble, as processes.
@Suite("Trouble with a service", .serialized, .timeLimit(.minutes(2)))
struct ServiceTroubleTests {
    // MARK: - A session in use

    @Test("A session that a run of lines has open is told with its process by commands that need its service")
    func heldSession() async throws {
        let shared = try SharedService()
        let run = try ProgramRun(
            ["--plain", "--session", "x", shared.download.url], in: shared.download.folder,
            environment: shared.environment)
        _ = try await waitUntil("the download in the middle") {
            (try? shared.download.folder.parts)?.isEmpty == false ? true : nil
        }
        let fact = "netdash: session \"x\" is open in another netdash (process \(run.process)); quit it"
        for words in [["add", shared.download.url], ["status"], ["wait"], ["stop"], ["serve"]] {
            let result = try await ProgramRun.finished(
                words + ["--session", "x"], in: shared.download.folder, environment: shared.environment)
            #expect(result.status == 6 && result.messages.hasPrefix(fact), "\(words) \(result.messages)")
            let hint = words == ["serve"] ? "netdash stop" : "kill \(run.process)"
            #expect(result.messages.contains(hint), "\(words) \(result.messages)")
        }
        let window = try shared.window("--session", "x")
        #expect(try await window.waitForEnd() == 6)
        #expect(window.screen.text.contains("kill \(run.process)"), "\(window.screen.text)")
        shared.download.release()
        #expect(try await run.waitForEnd().status == 0)
        let free = try await ProgramRun.finished(
            ["status", "--session", "x"], in: shared.download.folder, environment: shared.environment)
        #expect(free.status == 1 && free.messages.contains("netdash serve --session x"), "\(free.messages)")
    }

    @Test("A service that hangs is told with its process by the commands that give it up")
    func hangingService() async throws {
        let shared = try SharedService()
        let service = try ProgramRun(["serve"], in: shared.download.folder, environment: shared.environment)
        try await service.waitForMessages("the service to listen") { $0.contains("Serving session") }
        try service.signal(SIGSTOP)
        let runs = try [["status"], ["stop"], ["add", shared.download.url]].map {
            try ProgramRun($0, in: shared.download.folder, environment: shared.environment)
        }
        for run in runs {
            let end = try await run.waitForEnd()
            #expect(end.status == 1 && end.messages.contains("kill -9 \(service.process)"), "\(end.messages)")
        }
        try service.signal(SIGCONT)
        _ = try await shared.run("stop")
        _ = try await service.waitForEnd()
    }

    // MARK: - A full disk

    @Test("A service that cannot save says so to a window that comes later, and to the command that ends it")
    func unsavedStop() async throws {
        let shared = try SharedService()
        defer { shared.download.release() }
        // Its files take 100 KiB each, as if the disk were full then.
        let limit = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 200; exec \"$@\"", "sh"]
        let service = try ProgramRun(
            ["serve"], in: shared.download.folder, environment: shared.environment, before: limit)
        try await service.waitForMessages("the service to listen") { $0.contains("Serving session") }
        let list = (0..<800).map { "\(shared.download.url)?\($0)\n  pause=yes\n" }
        try shared.download.folder.write(list.joined(), to: "list")
        let added = try await shared.run("add", "--quiet", "-i", "list")
        #expect(added.status == 3 && added.messages.contains("Changes are not saved"), "\(added)")
        let window = try shared.window()
        try await window.waitForScreen("the warning") { $0.text.contains("Changes are not saved") }
        try window.type("D")
        _ = try await window.waitForEnd()
        let stopped = try await shared.run("stop")
        #expect(stopped.status == 3 && stopped.messages.contains("Service stopped, its last changes lost"))
        #expect(try await service.waitForEnd().status == 3)
    }

    @Test(
        "An addition that a full disk does not save says so and ends with 3, and is saved once there is room",
        .enabled(if: RowStoryTests.canMount))
    func fullDisk() async throws {
        let shared = try SharedService()
        let folder = shared.download.folder
        shared.download.server.setRoute("/small", .file(seed: 1, count: 10))
        let later = (1...500).map { "\(shared.download.server.url("/later"))/\($0)\n" }.joined()
        try folder.write(later, to: "list")
        let script = """
            mkdir state && mount -t tmpfs -o size=600k tmpfs state || exit 90
            "$0" serve >served 2>&1 & until grep -q Serving served; do sleep 0.02; done
            "$0" add "$1" >first 2>&1; echo $? >first.code
            cat /dev/zero >state/filler 2>errors
            "$0" add --start-at +9h -i list >second 2>said; echo $? >second.code
            rm state/filler
            "$0" add --start-at +9h "$1?third" >third 2>&1; echo $? >third.code
            "$0" stop && wait
            "$0" serve >again 2>&1 & until grep -q Serving again; do sleep 0.02; done
            "$0" status >status; "$0" stop; wait
            """
        let run = try ProgramRun(
            [shared.download.server.url("/small")], in: folder,
            environment: shared.environment.merging(["XDG_STATE_HOME": folder.path(of: "state")]) { $1 },
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        let end = try await run.waitForEnd(within: .seconds(60))
        func text(_ name: String) -> String { String(decoding: folder.bytes(of: name) ?? [], as: UTF8.self) }
        #expect(text("first") == "1\n" && text("first.code") == "0\n", "\(end.messages) \(text("first"))")
        #expect(text("second").split(separator: "\n").count == 500 && text("second.code") == "3\n", "\(text("said"))")
        #expect(text("said").contains("Changes are not saved"), "\(text("said"))")
        #expect(text("third") == "502\n" && text("third.code") == "0\n", "\(text("third"))")
        #expect(text("status").split(separator: "\n").count == 504, "\(text("status").suffix(300))")
    }

    @Test("Where the state has no room at all, an addition says how to learn why", .enabled(if: RowStoryTests.canMount))
    func noRoom() async throws {
        let shared = try SharedService()
        let folder = shared.download.folder
        let script = """
            mkdir state && mount -t tmpfs -o size=400k tmpfs state && mkdir -m 700 state/netdash || exit 90
            cat /dev/zero >state/filler 2>errors
            "$0" add "$1" >added 2>&1; echo $? >add.code; "$0" serve >served 2>&1; echo $? >serve.code
            """
        let run = try ProgramRun(
            [shared.download.url], in: folder,
            environment: shared.environment.merging(["XDG_STATE_HOME": folder.path(of: "state")]) { $1 },
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        _ = try await run.waitForEnd(within: .seconds(40))
        func text(_ name: String) -> String { String(decoding: folder.bytes(of: name) ?? [], as: UTF8.self) }
        #expect(text("add.code") == "1\n" && text("added").contains("netdash serve says why"), "\(text("added"))")
        #expect(text("serve.code") == "3\n" && text("served").contains("full"), "\(text("served"))")
        #expect(shared.download.server.requests.isEmpty)
    }

    // MARK: - A reboot

    @Test("After a reboot that emptied the runtime folder the next service has its tasks, and the file is right")
    func reboot() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        try await shared.run("add", "--start-at", "+9h", server.url("/later"))
        try await shared.waitForStatus("a download in the middle") { $0.contains("25%") }
        kill(try await shared.process(), SIGKILL)
        _ = try await service.waitForEnd()
        let runtime = try #require(shared.environment["XDG_RUNTIME_DIR"])
        for name in try ScratchFolder.names(in: runtime) {
            try FileManager.default.removeItem(atPath: runtime + "/" + name)
        }
        #expect(try await shared.run("status").status == 1)

        let next = try await shared.serve()
        try await shared.waitForStatus("both tasks, and the end of the first") {
            $0.contains("done") && $0.contains("later")
        }
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try shared.download.folder.names == ["file.bin"])
        #expect(server.requests(for: "/later").isEmpty)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await next.waitForEnd().status == 0)
    }

    // MARK: - Two windows

    @Test("Two windows cancel and pause one row at the same moment: both show one end, and the file is right")
    func oneRow() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        server.setRoute(
            "/file.bin", complete.stalling(after: GatedDownload.passed, until: try server.gate(named: "middle")))
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the row") { $0.text.contains("running") } }
        for (first, second) in [
            ("p", "p"), ("p", "r"), ("xy", "p"), ("xy", "xy"), ("pr", "rp"),
        ] {
            try windows[0].type(first)
            try windows[1].type(second)
            // What a form or a question is left with is closed without an answer.
            for window in windows { try await window.press("\u{1B}\u{1B}") }
            // The answer to a further command comes after the keys' own were sent.
            for window in windows {
                try window.type("y")
                try await window.waitForToast("Copied ")
            }
            try await agree(windows, shared, after: "\(first) and \(second)")
            try await shared.run("retry", "all")
            try await shared.run("resume", "all")
            for window in windows {
                try await window.waitForScreen("a running row after \(first) and \(second)") {
                    $0.text.contains("running") && $0.text.contains(/25(\.0)?%/)
                }
            }
        }
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        for window in windows { try await window.waitForScreen("the end") { $0.text.contains(/✓.*file\.bin/) } }
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try shared.download.folder.names == ["file.bin"])
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Two windows edit one row at the same moment: one edit wins, both show one end, and the file is right")
    func oneRowEdited() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        let (first, edited) = (try server.gate(named: "first"), try server.gate(named: "edited"))
        server.setRoute(
            "/file.bin",
            .choosing { request in
                request.header("X-Window") == nil
                    ? complete.stalling(after: GatedDownload.passed, until: first)
                    : complete.stalling(after: 1, until: edited)
            })
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the row") { $0.text.contains("running") } }
        for (number, window) in windows.enumerated() {
            try window.type("e")
            try await window.waitForScreen("the form") { $0.text.contains("Edit task") }
            try window.type("\t\t\tX-Window: \(number + 1)")
            try await window.waitForScreen("the header") { $0.text.contains("X-Window: \(number + 1)") }
        }
        for window in windows { try window.type("\r") }
        // One of them is told that the other's change stands, and leaves its form.
        let late = try await waitUntil("the window that was too late") {
            for window in windows { window.pump() }
            return windows.first { $0.screen.text.contains("Another window's change") }
        }
        try late.type("\u{1B}")
        try await late.waitForScreen("the list") { !$0.text.contains("Edit task") }
        // The answer to a further command comes after the edit was sent.
        for window in windows {
            try window.type("y")
            try await window.waitForToast("Copied ")
        }
        _ = try await waitUntil("the edited request") {
            server.requests(for: "/file.bin").last?.header("X-Window")
        }
        edited.release()
        #expect(try await shared.run("wait").status == 0)
        for window in windows { try await window.waitForScreen("the end") { $0.text.contains(/✓.*file\.bin/) } }
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        first.release()
        let winner = try #require(server.requests(for: "/file.bin").last?.header("X-Window"))
        #expect(["1", "2"].contains(winner))
        let status = try await shared.run("status").text
        // The service, one task, and the counts.
        #expect(status.split(separator: "\n").count == 3, "\(status)")
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try shared.download.folder.names == ["file.bin"])
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    /// Waits until both windows show the state that the service tells.
    private func agree(_ windows: [PseudoTerminal], _ shared: SharedService, after what: String) async throws {
        var told = ""
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            told = try await shared.run("status").text
            let state = told.firstMatch(of: /\n1, download, (\w+)/).map { String($0.1) } ?? "?"
            var shown = 0
            for window in windows {
                window.pump()
                if window.screen.text.contains(state) { shown += 1 }
            }
            if shown == windows.count { return }
        }
        Issue.record("after \(what): \(told)\n\(windows.map(\.screen.text).joined(separator: "\n"))")
    }

    // MARK: - Versions

    @Test("A program of an older version is refused with the versions of both, and the service goes on")
    func olderProgram() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let path = try #require(service.messages.firstMatch(of: #/ at (/.*\.sock)/#).map { String($0.1) })
        for (version, isHello) in [(1, true), (23, true), (1, false)] {
            let hello = SpokenWire.hello(version: UInt8(version), program: "0.0.9")
            let message = isHello ? hello : SpokenWire.frame("attach", SpokenWire.text("default"))
            let said = String(decoding: try SpokenWire.ask(path, message), as: UTF8.self)
            #expect(said.contains("refused") && !said.contains("welcome"), "\(said)")
            #expect(said.contains(isHello ? "this is 0.0.9" : "update the older of both"), "\(said)")
        }
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("A service of another version is left alone: commands end with its sentence, and a window shows it")
    func otherService() async throws {
        let shared = try SharedService()
        let first = try await shared.serve()
        let path = try #require(first.messages.firstMatch(of: #/ at (/.*\.sock)/#).map { String($0.1) })
        #expect(try await shared.run("stop").status == 0)
        // It has the lock until its end.
        #expect(try await first.waitForEnd().status == 0)
        let sentence = "The service runs netdash 9.9, this is 0.1.0; end it with `netdash stop` and start again"
        let service = try RefusingService(
            at: path, lock: path.replacing(".sock", with: ".lock"), sentence: sentence)
        for words in [["status"], ["add", shared.download.url], ["pause", "all"], ["wait"], ["events"]] {
            let result = try await ProgramRun.finished(
                words, in: shared.download.folder, environment: shared.environment)
            #expect(result.status == 1 && result.messages == "netdash: \(sentence)\n", "\(words) \(result)")
        }
        let window = try shared.window()
        try await window.waitForScreen("the sentence") { $0.text.contains("The service runs netdash 9.9") }
        try window.type("q")
        #expect(try await window.waitForEnd() == 0)
        // It still has its socket.
        #expect(try SpokenWire.ask(path, SpokenWire.hello(version: 3, program: "x")).count > sentence.utf8.count)
        #expect(shared.download.server.requests.isEmpty)
        withExtendedLifetime(service) {}
    }
}
