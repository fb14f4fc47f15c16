import TerminalTestSupport
import Testing

/// What the real program's bytes make of a terminal, for every screen and state.
///
/// Where `GoldenScreenTests` looks at the view, this looks at what arrives.
@Suite("Golden screens of a terminal", .serialized, .timeLimit(.minutes(2)))
struct GoldenTerminalTests {
    static let sizes = [(20, 3), (20, 5), (40, 10), (60, 16), (80, 24), (120, 36), (140, 40)]

    @Test("Every screen and state is as it was at every size", arguments: GoldenScene.all, sizes)
    func screens(scene: GoldenScene, size: (columns: Int, rows: Int)) async throws {
        let dashboard = try await GoldenDashboard(scene)
        let terminal = try dashboard.terminal(rows: size.rows, columns: size.columns)
        try await terminal.waitForScreen("the dashboard") { $0.isAlternate && $0.text.contains("↓") }
        try await waitForRows(of: scene, on: terminal)
        for step in scene.steps {
            let name = "\(step.name)-\(size.columns)x\(size.rows)"
            try await look(at: step, of: name, on: terminal)
            for keys in step.back { try await terminal.press(keys) }
        }
        #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors)")
        #expect(terminal.screen.commands.allSatisfy { !$0.contains("title") }, "\(terminal.screen.commands)")
        #expect(terminal.process != nil)
    }

    @Test("There is no golden screen that nothing looks at")
    func noneIsLeftOver() throws {
        let steps = GoldenScene.all.flatMap(\.steps).map(\.name)
        let wanted = Self.sizes.flatMap { size in steps.map { "\($0)-\(size.0)x\(size.1)" } }
        #expect(Set(wanted).count == wanted.count)
        #expect(Set(try GoldenFiles.names) == Set(wanted))
    }

    /// Waits until rows stand still, with the first one selected: at first the selection is where the first row came.
    private func waitForRows(of scene: GoldenScene, on terminal: PseudoTerminal) async throws {
        let deadline = ContinuousClock.now + patience
        repeat {
            try await terminal.press("g")
            if scene.isReady(terminal.screen.text) { return try await terminal.press("g") }
        } while ContinuousClock.now < deadline
        throw WaitingFailed(description: "The rows do not come to a stand-still: \(terminal.screen.text)")
    }

    private func look(at step: GoldenStep, of name: String, on terminal: PseudoTerminal) async throws {
        try await terminal.press(step.keys)
        if GoldenFiles.isUpdating {
            if let golden = GoldenFiles.read(name),
                try await shows(golden, name, on: terminal, within: .seconds(1))
            {
                return
            }
            return try GoldenFiles.write(try await settledText(of: terminal), to: name)
        }
        let golden = try #require(GoldenFiles.read(name), "\(name) is missing")
        for _ in 0..<(step.triesAgain ? 5 : 0) {
            if try await shows(golden, name, on: terminal, within: .seconds(5)) { return }
            try await terminal.press(step.keys)
        }
        // What follows would be led to from the wrong screen, and each wait takes long.
        try #require(
            try await shows(golden, name, on: terminal, within: patience), difference(golden, terminal.screen, name))
    }

    /// What a screen shows once that has stayed the same for a while; what golden texts leave out may go on moving.
    private func settledText(of terminal: PseudoTerminal) async throws -> String {
        var text = ""
        var since = ContinuousClock.now
        return try await waitUntil("a screen that stays the same") {
            terminal.pump()
            let shown = GoldenText.text(of: terminal.screen)
            if shown != text { (text, since) = (shown, .now) }
            return ContinuousClock.now - since > .milliseconds(500) ? text : nil
        }
    }

    private func shows(
        _ golden: String, _ name: String, on terminal: PseudoTerminal, within limit: Duration
    ) async throws -> Bool {
        do {
            try await terminal.waitForScreen(name, within: limit) { GoldenText.text(of: $0) == golden }
            return true
        } catch is WaitingFailed {
            return false
        }
    }

    private func difference(_ golden: String, _ screen: VirtualScreen, _ name: String) -> Comment {
        "\(name) is\n\(GoldenText.text(of: screen))\ninstead of\n\(golden)"
    }
}
