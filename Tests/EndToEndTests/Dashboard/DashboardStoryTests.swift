import LoopbackServer
import Testing

/// A person in front of the real dashboard, from the first screen to the shell's prompt.
@Suite("The dashboard's story", .serialized, .timeLimit(.minutes(1)), .enabled(if: TmuxSession.isAvailable))
struct DashboardStoryTests {
    @Test("Start, tabs, filter, pause, resume, cancel, help, sizes, add, quit: the right bytes and the same terminal")
    func story() async throws {
        let session = try await DashboardSession()
        try await session.waitForGates()
        try await start(session)
        try await tabs(session)
        try await find(session)
        try await pauseAndResume(session)
        try await cancelAndKeep(session)
        try await cancelAndDelete(session)
        try await help(session)
        try await sizes(session)
        try await add(session)
        try await quit(session)
        try await expectFiles(session)
    }

    @Test("A dashboard at work that was stopped with ^Z goes on after fg, to the right bytes")
    func stopped() async throws {
        let session = try await DashboardSession()
        try await session.waitForGates()
        try await session.waitForRow("alpha.bin", "25%")
        try session.terminal.send("C-z")
        try await session.waitForPrompt()
        try session.release("alpha.bin")
        try session.terminal.type("fg")
        try session.terminal.send("Enter")
        try await session.waitForRow("alpha.bin", "done")
        #expect(session.folder.bytes(of: "files/alpha.bin") == DashboardSession.contents["alpha.bin"]?.bytes)
        try session.terminal.send("Q")
        try await session.waitForPrompt()
        #expect(try session.parts.count == 2)
    }

    @Test("After ^Z and bg a transfer comes to its end without a byte on the terminal, and fg shows it")
    func background() async throws {
        let session = try await DashboardSession()
        try await session.waitForGates()
        try await session.waitForRow("alpha.bin", "25%")
        try session.terminal.send("C-z")
        try await session.waitForPrompt()
        try session.terminal.type("bg; clear")
        try session.terminal.send("Enter")
        let prompt = try await session.terminal.waitUntilScreen("a screen of the shell alone") { screen in
            screen.filter { !$0.isEmpty } == ["ready>"]
        }
        for name in ["alpha", "beta"] {
            try session.release(name + ".bin")
            let content = DashboardSession.contents[name + ".bin"]?.bytes
            _ = try await waitUntil(name) { session.folder.bytes(of: "files/\(name).bin") == content ? true : nil }
        }
        #expect(try session.terminal.capture() == prompt)
        try session.terminal.type("fg")
        try session.terminal.send("Enter")
        try await session.waitForRow("alpha.bin", "done")
        try await session.waitForRow("gamma.bin", "25%")
        try session.release("gamma.bin")
        try await session.waitForRow("gamma.bin", "done")
        try session.terminal.send("Q")
        try await session.waitForPrompt()
        #expect(try session.parts.isEmpty)
    }

    // MARK: Chapters

    private func start(_ session: DashboardSession) async throws {
        let screen = try await session.terminal.waitUntilScreen("six rows") { DashboardSession.table($0).count == 6 }
        let text = screen.joined(separator: "\n")
        for word in ["netdash", "All 6", "Request 1", "Upload 1", "Download 4", "? Help", "q Quit"] {
            #expect(text.contains(word), "\(text)")
        }
        try await session.waitForRow("delta.bin", "done")
        try await session.waitForRow("alpha.bin", "25%")
        try await session.waitForRow("alpha.bin", "running")
    }

    private func tabs(_ session: DashboardSession) async throws {
        for (key, names) in [
            ("2", ["/api"]), ("3", ["upload.bin"]), ("4", ["alpha.bin", "beta.bin", "delta.bin", "gamma.bin"]),
            ("Tab", ["alpha.bin", "/api", "upload.bin", "beta.bin", "delta.bin", "gamma.bin"]), ("Tab", ["/api"]),
            ("1", ["alpha.bin", "/api", "upload.bin", "beta.bin", "delta.bin", "gamma.bin"]),
        ] {
            try session.terminal.send(key)
            try await session.waitForTable("the tab of \(key)") { rows in
                rows.count == names.count && names.allSatisfy { name in rows.contains { $0.contains(name) } }
            }
        }
    }

    /// A filter of alternatives and a pattern, its help, what is wrong with it, and a command by its name.
    private func find(_ session: DashboardSession) async throws {
        func expectTable(_ what: String) async throws {
            try await session.waitForTable(what) { rows in
                rows.count == 2 && rows[0].contains("alpha.bin") && rows[1].contains("gamma.bin")
            }
        }
        try session.terminal.type("/alpha -kind:data or ~^gamma.bin$")
        try await expectTable("what the filter finds")
        try session.terminal.type(" size:>1x")
        let wrong = try await session.terminal.waitUntilScreen("what is wrong") {
            $0.joined().contains("size is a number with k, M, G or T: size:>100M")
        }
        #expect(DashboardSession.table(wrong).count == 2)
        try session.terminal.send("F1")
        _ = try await session.terminal.waitUntilScreen("the filter explained") {
            $0.joined().contains("Filter syntax")
        }
        try session.terminal.type("q")
        _ = try await session.terminal.waitUntilScreen("the filter again") {
            !$0.joined().contains("Filter syntax") && $0.joined().contains(" size:>1x")
        }
        try session.terminal.send("Escape")
        try await session.waitForTable("everything") { $0.count == 6 }
        try session.terminal.type(":inv")
        _ = try await session.terminal.waitUntilScreen("the palette") {
            $0.joined().contains("Invert marks") && $0.joined().contains("Reverse the sort order")
        }
        try session.terminal.type("ert m")
        try session.terminal.send("Enter")
        _ = try await session.terminal.waitUntilScreen("six marks") { $0.joined().contains("6 marked") }
        try session.terminal.type(":unmark")
        try session.terminal.send("Enter")
        _ = try await session.terminal.waitUntilScreen("no marks") { !$0.joined().contains("6 marked") }
    }

    private func pauseAndResume(_ session: DashboardSession) async throws {
        try await session.select("alpha")
        try session.terminal.send("p")
        try await session.waitForRow("alpha.bin", "paused")
        // The server may go on now, but a paused transfer must not.
        try session.release("alpha.bin")
        _ = try await waitUntil("the server to send everything") {
            session.server.requests(for: "/alpha.bin").first?.outcome == .answered ? true : nil
        }
        let rows = DashboardSession.table(try session.terminal.capture())
        #expect(rows.count == 1 && rows[0].contains("paused") && rows[0].contains("25%"), "\(rows)")
        #expect(session.folder.bytes(of: "files/alpha.bin") == nil)
        try session.terminal.send("r")
        try await session.waitForRow("alpha.bin", "done")
        try await session.selectAll()
    }

    private func cancelAndKeep(_ session: DashboardSession) async throws {
        try await session.select("beta")
        try session.terminal.send("x")
        let dialog = try await session.terminal.waitUntilScreen("the question") {
            $0.joined().contains("Cancel 1 task?")
        }
        #expect(dialog.joined().contains("[ No ]"), "\(dialog.joined(separator: "\n"))")
        // Enter takes the highlighted button, which is the safe one.
        try session.terminal.send("Enter")
        try await session.terminal.waitUntilScreen("no question") { !$0.joined().contains("Cancel 1 task?") }
        try await session.waitForRow("beta.bin", "running")
        try session.terminal.send("x")
        try await session.terminal.waitUntilScreen("the question") { $0.joined().contains("Cancel 1 task?") }
        try session.terminal.send("k")
        try await session.waitForRow("beta.bin", "cancelled")
        #expect(try session.parts.contains { $0.contains("beta.bin") })
        // Resuming what was cancelled goes on with the part that was kept.
        try session.terminal.send("r")
        try await session.waitForRow("beta.bin", "done")
        #expect(session.server.requests(for: "/beta.bin").last?.header("Range") != nil)
        try await session.selectAll()
    }

    private func cancelAndDelete(_ session: DashboardSession) async throws {
        try await session.select("gamma")
        try session.terminal.send("x")
        try await session.terminal.waitUntilScreen("the question") { $0.joined().contains("Cancel 1 task?") }
        try session.terminal.send("d")
        try await session.waitForRow("gamma.bin", "cancelled")
        _ = try await waitUntil("the part to go") { try session.parts.contains { $0.contains("gamma") } ? nil : true }
        try await session.selectAll()
    }

    private func help(_ session: DashboardSession) async throws {
        try session.terminal.send("?")
        try await session.terminal.waitUntilScreen("the help") { $0.joined().contains("Help: List") }
        try session.terminal.send("Escape")
        try await session.waitForTable("the list") { $0.count == 6 }
    }

    private func sizes(_ session: DashboardSession) async throws {
        for (columns, rows, words) in [
            (80, 24, ["? Help", "q Quit", "All 6"]), (40, 10, ["? Help", "q Quit"]), (20, 5, ["q Quit"]), (20, 3, []),
        ] {
            try session.terminal.resize(rows: rows, columns: columns)
            let screen = try await session.terminal.waitUntilScreen("\(columns) x \(rows)") { screen in
                screen.joined().contains("▌") && words.allSatisfy { screen.joined().contains($0) }
                    && !(screen.first ?? "").isEmpty && screen.allSatisfy { $0.count <= columns }
            }
            #expect(screen.count <= rows + 1)
        }
        try session.terminal.resize(rows: 36, columns: 120)
        try await session.waitForTable("the large screen") { $0.count == 6 }
    }

    private func add(_ session: DashboardSession) async throws {
        try session.terminal.send("a")
        try await session.terminal.waitUntilScreen("the form") {
            $0.joined().contains("Add") && $0.joined().contains("URL ")
        }
        try session.terminal.type(session.server.url("/epsilon.bin"))
        try session.terminal.send("Enter")
        try await session.waitForRow("epsilon.bin", "done")
        try await session.waitForTable("a seventh row") { $0.count == 7 }
    }

    private func quit(_ session: DashboardSession) async throws {
        try session.terminal.send("q")
        try await session.terminal.waitUntilScreen("the question") { $0.joined().contains("2 unfinished tasks") }
        try session.terminal.send("Escape")
        try await session.waitForTable("the list") { $0.count == 7 }
        try session.release("upload")
        try session.release("api")
        try await session.waitForRow("upload.bin", "done")
        try await session.waitForRow("/api", "done")
        try session.terminal.send("q")
        try await session.waitForPrompt()
    }

    private func expectFiles(_ session: DashboardSession) async throws {
        for name in ["alpha.bin", "beta.bin", "delta.bin", "epsilon.bin"] {
            #expect(session.folder.bytes(of: "files/" + name) == DashboardSession.contents[name]?.bytes, "\(name)")
        }
        #expect(session.folder.bytes(of: "files/gamma.bin") == nil)
        #expect(try session.parts.isEmpty)
        // -d holds for the answers of a list's requests too.
        #expect(session.folder.bytes(of: "files/answer") == Array("the answer\n".utf8))
        #expect(session.folder.bytes(of: "answer") == nil)
        let upload = try #require(session.server.requests(for: "/in/upload.bin").last)
        #expect(upload.bodyChecksum == BodyChecksum(of: DashboardSession.payload))
        let before = try #require(session.folder.bytes(of: "stty-before"))
        let after = try await waitUntil("stty") {
            session.folder.bytes(of: "stty-after").flatMap { $0.isEmpty ? nil : $0 }
        }
        #expect(String(decoding: after, as: UTF8.self) == String(decoding: before, as: UTF8.self))
    }
}
