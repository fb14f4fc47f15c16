import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// One queue with several windows and scripts, as processes.
@Suite("A service with windows and scripts", .serialized, .timeLimit(.minutes(1)))
struct ServiceStoryTests {
    private static func showsDownload(_ screen: VirtualScreen) -> Bool { screen.text.contains(/25(\.0)?%/) }

    @Test("Two windows and a script share a service: each sees what another does, and the file is right")
    func story() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        let added = try await shared.run("add", shared.download.url)
        #expect(added.text == "1\n" && added.status == 0, "\(added)")
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the download in the middle", Self.showsDownload) }
        let paused = try await shared.run("pause", "1")
        #expect(paused.text == "Paused 1 task\n" && paused.status == 0)
        for window in windows { try await window.waitForScreen("a paused row") { $0.text.contains("paused") } }
        try windows[1].type("r")
        try await windows[0].waitForScreen("a running row") { $0.text.contains("running") }
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(windows[0].screen.text.contains("Detached: 1 unfinished task"), "\(windows[0].screen.text)")
        shared.download.release()
        let end = try await shared.run("wait", "1")
        #expect(end.status == 0, "\(end)")
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("A window that detaches from a named session is told the commands of that session")
    func namedSession() async throws {
        let shared = try SharedService()
        let service = try await shared.serve("--session", "det")
        #expect(try await shared.run("add", "--session", "det", shared.download.url).status == 0)
        let window = try shared.window("--session", "det")
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        let text = window.screen.text.replacing("\n", with: "")
        #expect(text.contains("attach: netdash --session det, end: netdash stop --session det"), "\(text)")
        #expect(try await shared.run("pause", "--session", "det", "1").status == 0)
        let wait = try ProgramRun(
            ["wait", "--session", "det"], in: shared.download.folder, environment: shared.environment)
        try await wait.waitForMessages("the hint") { $0.contains("until netdash resume --session det") }
        #expect(try await shared.run("stop", "--session", "det").status == 0)
        _ = try await wait.waitForEnd()
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Two windows add, a third pauses, all detach; a new window goes on, and wait ends as its tasks did")
    func threeWindows() async throws {
        let shared = try SharedService()
        let (server, folder) = (shared.download.server, shared.download.folder)
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        let stalled = complete.stalling(after: GatedDownload.passed, until: try server.gate(named: "middle"))
        server.setRoute("/second.bin", .sequence([stalled, complete]))
        let service = try await shared.serve()
        let windows = try (0..<3).map { _ in try shared.window() }
        for window in windows { try await window.waitForScreen("no tasks") { $0.text.contains("No tasks yet") } }
        try windows[0].type("a" + shared.download.url + "\r")
        try await windows[1].waitForScreen("the task of another window", Self.showsDownload)
        try windows[1].type("a" + server.url("/second.bin") + "\r")
        try await windows[2].waitForScreen("both tasks") {
            $0.text.contains("file.bin") && $0.text.contains("second.bin")
        }
        let missing = try await shared.run("add", server.url("/missing"))
        #expect(missing.text == "3\n" && missing.status == 0, "\(missing)")
        try await windows[2].waitForScreen("the failed one") { $0.text.contains("failed 1") }
        try windows[2].type("P")
        for window in windows {
            try await window.waitForScreen("paused rows") { $0.text.contains("paused 2") }
            try window.type("D")
        }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        try await shared.waitForStatus("two paused tasks, and a failed one") { text in
            text.matches(of: /paused/).count >= 2 && text.contains("failed")
        }
        let later = try shared.window()
        try await later.waitForScreen("the paused tasks") {
            $0.text.contains("second.bin") && $0.text.contains("paused")
        }
        try later.type("R")
        shared.download.release()
        let end = try await shared.run("wait")
        #expect(end.status == 1, "a task has failed: \(end)")
        #expect(try await shared.run("wait", "1", "2").status == 0)
        for name in ["file.bin", "second.bin"] { #expect(folder.bytes(of: name) == GatedDownload.content.bytes) }
        try await later.waitForScreen("the end") { $0.text.contains("done 2") }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("A window starts the service, and the work outlives its terminal")
    func hangUp() async throws {
        let shared = try SharedService()
        let window = try shared.window(shared.download.url)
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        let process = try await shared.process()
        window.hangUp()
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.process() == process)
        #expect(try await shared.run("stop").status == 0)
        _ = try await waitUntil("the end of the service") { Program.isRunning(process) ? nil : true }
    }

    @Test("Quitting asks whether to detach or to stop the work, which keeps the part")
    func stopFromWindow() async throws {
        let shared = try SharedService()
        let window = try shared.window(shared.download.url)
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        let process = try await shared.process()
        try window.type("q")
        try await window.waitForScreen("the question") { $0.text.contains("Stop all, quit") }
        try window.type("s")
        #expect(try await window.waitForEnd() == 0)
        _ = try await waitUntil("the end of the service") { Program.isRunning(process) ? nil : true }
        #expect(try shared.download.folder.names.contains { $0.hasSuffix(".part") })
        #expect(try await shared.run("status").status == 1)
    }

    @Test("When the service is killed the window says so, and the next key starts it again with what there is")
    func killedService() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        server.setRoute(
            "/file.bin", complete.stalling(after: GatedDownload.passed, until: try server.gate(named: "middle")))
        let window = try shared.window(shared.download.url)
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        let process = try await shared.process()
        kill(process, SIGKILL)
        try await window.waitForScreen("the lost service") { $0.text.contains("service lost") }
        try window.type("p")
        try await window.waitForScreen("a paused row") { $0.text.contains("paused") && !$0.text.contains("lost ·") }
        #expect(try await shared.process() != process)
        shared.download.release()
        try window.type("r")
        try await window.waitForScreen("the end") { $0.text.contains("done 1") }
        #expect(shared.download.file == GatedDownload.content.bytes)
        try window.type("q")
        #expect(try await window.waitForEnd() == 0)
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("Two services of one session start at the same moment: one listens, the other says why it does not")
    func twoServices() async throws {
        let shared = try SharedService()
        let services = try (0..<2).map { _ in
            try ProgramRun(["serve"], in: shared.download.folder, environment: shared.environment)
        }
        _ = try await waitUntil("one to listen and the other to end") {
            services.contains { $0.messages.contains("Serving") }
                && services.contains { $0.messages.hasPrefix("netdash: ") } ? true : nil
        }
        #expect(try await shared.run("stop").status == 0)
        let ends = [try await services[0].waitForEnd().status, try await services[1].waitForEnd().status]
        #expect(ends.contains(0) && ends.contains { $0 != 0 }, "\(ends)")
    }

    @Test("An addition starts the service, a failed task decides the code of wait, and a retry is one")
    func failedTask() async throws {
        let shared = try SharedService()
        shared.download.server.setRoute(
            "/late", .sequence([.respond(.text("no", status: 404)), .respond(.text("here\n"))]))
        let added = try await shared.run("add", shared.download.server.url("/late"))
        #expect(added.text == "1\n", "\(added)")
        #expect(try await shared.run("wait").status == 1)
        let retried = try await shared.run("retry", "state:failed")
        #expect(retried.text == "Retried 1 task\n", "\(retried)")
        #expect(try await shared.run("wait", "1").status == 0)
        #expect(shared.download.folder.bytes(of: "late") == Array("here\n".utf8))
        for command in ["pause", "wait", "status"] {
            let nothing = try await shared.run(command, "7")
            #expect(nothing.status == 1 && nothing.messages == "netdash: No matching task\n", "\(command)")
        }
        for (arguments, words) in [
            (["pause", "1"], "Paused"), (["retry", "all"], "Retried"), (["limit", "10k", "1"], "Limited"),
        ] {
            let unfit = try await ProgramRun.finished(
                arguments, in: shared.download.folder, environment: shared.environment)
            #expect(unfit.status == 1 && unfit.messages == "netdash: \(words) 0 tasks: 1 done\n", "\(unfit)")
        }
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("A cancelled task is none that wait reports as completed, whether it was cancelled before or meanwhile")
    func cancelledTask() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let waiting = try ProgramRun(["wait"], in: shared.download.folder, environment: shared.environment)
        try await waiting.waitUntilConnected(to: service)
        #expect(try await shared.run("cancel", "1").status == 0)
        #expect(try await waiting.waitForEnd().status == 1)
        #expect(try await shared.run("wait", "1").status == 1)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Events of a service are JSON lines, until it stops")
    func events() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let feed = try ProgramRun(["events"], in: shared.download.folder, environment: shared.environment)
        func tells(_ word: String) -> Bool { String(decoding: feed.output, as: UTF8.self).contains(word) }
        // It hears only of what happens after it was connected.
        while !tells("\"event\":") {
            #expect(try await shared.run("pause", "1").status == 0)
            #expect(try await shared.run("resume", "1").status == 0)
        }
        shared.download.release()
        #expect(try await shared.run("wait").status == 0)
        _ = try await waitUntil("the events", otherwise: { String(decoding: feed.output, as: UTF8.self) }) {
            tells("\"event\":\"completed\"") ? true : nil
        }
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
        #expect(try await feed.waitForEnd().status == 0)
    }

    @Test("Who waits, and who looks, learns that another client has stopped the service")
    func stoppedByAnother() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let window = try shared.window()
        try await window.waitForScreen("the download in the middle", Self.showsDownload)
        let waiting = try ProgramRun(["wait"], in: shared.download.folder, environment: shared.environment)
        try await waiting.waitUntilConnected(to: service)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
        let end = try await waiting.waitForEnd()
        #expect(end.status == 1)
        #expect(end.messages == "netdash: The service was stopped before this was done\n")
        try await window.waitForScreen("the stopped service") { $0.text.contains("service stopped") }
        shared.download.release()
        // The next service resumes the task, and may complete it before the command comes.
        try window.type("p")
        let next = try await window.waitForScreen("the next service") { $0.text.contains("‖") || $0.text.contains("✓") }
        if next.contains("‖") { try window.type("r") }
        try await window.waitForScreen("the end after a command") { $0.text.contains("✓") }
        #expect(shared.download.file == GatedDownload.content.bytes)
        try window.type("D")
        #expect(try await window.waitForEnd() == 0)
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("An idle service ends although its tasks are paused, and has them at its next start")
    func idleExit() async throws {
        let shared = try SharedService()
        let complete = Behaviour.resource(
            ServedResource(seed: GatedDownload.content.seed, count: GatedDownload.content.count))
        let server = shared.download.server
        server.setRoute(
            "/file.bin", complete.stalling(after: GatedDownload.passed, until: try server.gate(named: "middle")))
        // It has a task from its start on, so that it is not idle before the pause, however late that comes.
        #expect(try await shared.run("add", "--quiet", shared.download.url).text.isEmpty)
        #expect(try await shared.run("stop").status == 0)
        let service = try await shared.serve("--idle-exit", "1")
        #expect(try await shared.run("pause", "all").text == "Paused 1 task\n")
        #expect(try await service.waitForEnd().status == 0)
        let next = try await shared.serve()
        try await shared.waitForStatus("the paused task") { $0.contains("paused") }
        shared.download.release()
        try await shared.run("resume", "all")
        #expect(try await shared.run("wait").status == 0)
        #expect(shared.download.file == GatedDownload.content.bytes)
        #expect(try await shared.run("stop").status == 0)
        #expect(try await next.waitForEnd().status == 0)
    }

    @Test("An addition that cannot start the service says how to learn why")
    func serviceThatCannotStart() async throws {
        let shared = try SharedService()
        // A link in place of the lock is not followed.
        let folder = try #require(shared.environment["XDG_RUNTIME_DIR"]) + "/netdash"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await shared.run("add", shared.download.url)
        try await shared.run("stop")
        let lock = try #require(try ScratchFolder.names(in: folder).first { $0.hasSuffix(".lock") })
        try FileManager.default.removeItem(atPath: folder + "/" + lock)
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + lock, withDestinationPath: "/none")
        let result = try await shared.run("add", shared.download.url)
        #expect(result.status == 1, "\(result)")
        #expect(result.messages == "netdash: The service did not start; netdash serve says why\n")
    }

    @Test("A reader of events that is too slow is told that some were lost")
    func lostEvents() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        let feed = try ProgramRun(["events"], in: shared.download.folder, environment: shared.environment)
        try await feed.waitUntilConnected(to: service)
        try feed.signal(SIGSTOP)
        // More than a subscriber's share of the memory, and than the kernel's buffers.
        let path = String(repeating: "long/", count: 80)
        let list = (0..<8_000).map { "http://127.0.0.1:1/\(path)\($0)\n pause=true\n" }.joined()
        try shared.download.folder.write(list, to: "list")
        #expect(try await shared.run("add", "--quiet", "-i", "list").status == 0)
        try feed.signal(SIGCONT)
        _ = try await waitUntil("the lost events", otherwise: { "\(feed.output.count) bytes" }) {
            String(decoding: feed.output, as: UTF8.self).contains("{\"event\":\"lost\",\"time\":") ? true : nil
        }
        #expect(try await shared.run("stop").status == 0)
        let end = try await feed.waitForEnd()
        #expect(end.status == 0 && end.messages.contains("Some events were lost"), "\(end.messages)")
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("Events end when their reader has gone, though none comes")
    func eventsWithoutReader() async throws {
        let shared = try SharedService()
        let service = try await shared.serve()
        let pipe = try Pipeline()
        let feed = try ProgramRun(
            ["events"], in: shared.download.folder, environment: shared.environment, output: pipe.writeEnd)
        pipe.closeWriteEnd()
        pipe.closeReadEnd()
        #expect(try await feed.waitForEnd().status == 128 + Int(SIGPIPE))
        #expect(try await shared.run("stop").status == 0)
        #expect(try await service.waitForEnd().status == 0)
    }

    @Test("A stopped window delays neither commands nor other windows, and shows what it missed")
    func stoppedWindow() async throws {
        let shared = try SharedService()
        _ = try await shared.serve()
        try await shared.run("add", shared.download.url)
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the download in the middle", Self.showsDownload) }
        try windows[0].signal(SIGSTOP)
        for _ in 0..<20 {
            #expect(try await shared.run("pause", "1").status == 0)
            #expect(try await shared.run("resume", "1").status == 0)
        }
        #expect(try await shared.run("pause", "1").status == 0)
        try await windows[1].waitForScreen("a paused row") { $0.text.contains("paused") }
        try windows[0].signal(SIGCONT)
        try await windows[0].waitForScreen("a paused row") { $0.text.contains("paused") }
        for window in windows { try window.type("D") }
        for window in windows { #expect(try await window.waitForEnd() == 0) }
        #expect(try await shared.run("stop").status == 0)
    }

    @Test("Commands without a service say how to start one")
    func noService() async throws {
        let shared = try SharedService()
        for word in ["status", "stop", "events", "wait"] {
            let result = try await shared.run(word)
            #expect(result.status == 1)
            #expect(result.messages == "netdash: No service runs for session default; start one with: netdash serve\n")
        }
        let mistake = try await shared.run("pause")
        #expect(mistake.status == 2 && mistake.messages.hasPrefix("netdash: pause: name tasks"), "\(mistake)")
    }
}
