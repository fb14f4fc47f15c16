import LoopbackServer
import TerminalTestSupport

extension GoldenScene {
    /// Rows of every kind and in every state that lasts.
    static let table = GoldenScene(
        name: "table",
        list: """
            @/busy.deb
            @/debian-12.7.0-amd64-netinst.iso
            @/v2/orders?limit=500
             kind=data
             header=Accept: application/json
            @/release-2026.11.tar.zst
            @/ingest/report.pdf
             kind=upload
             body-file=report.pdf
            @/dataset-part-0007.parquet
            @/nightly/build-8812.zip
            @/refused
             kind=upload
             body=text
            @/SHA256SUMS
            @/v2/login
             kind=data
             body={"user":"me"}
            @/in/note
             kind=upload
             body=text
            @/old-image.qcow2

            """,
        setRoutes: setTableRoutes, prepare: prepareTable,
        isReady: { $0.contains(/62(\.5)?%/) && $0.contains(/▸ ?◇/) },
        steps: listSteps + overlaySteps + paneSteps + detailsSteps)

    private static let count: Int64 = 400_000

    @Sendable private static func setTableRoutes(_ server: LoopbackServer) throws {
        let silence = try server.gate(named: "never")
        let silent = Behaviour.file(count: count).adjusting { $0.gateBeforeHead = silence }
        for (index, path) in ["/debian-12.7.0-amd64-netinst.iso", "/dataset-part-0007.parquet", "/old-image.qcow2"]
            .enumerated()
        {
            let passed = count / 8 * Int64(5 - 2 * index)
            let first = Behaviour.file(count: count).stalling(after: passed, until: silence)
            server.setRoute(path, .sequence([first, silent]))
        }
        server.setRoute("/v2/orders", silent)
        server.setRoute("/release-2026.11.tar.zst", silent)
        server.setRoute("/ingest/report.pdf", silent)
        let busy = ScriptedResponse(503, headers: ["Retry-After": "3600"])
        server.setRoute("/busy.deb", .respond(busy))
        server.setRoute("/refused", .respond(.text("no\n", status: 403)))
        server.setRoute("/SHA256SUMS", .file(count: 2_345))
        let answer = ScriptedResponse.json(#"{"token":"a\u001bb","roles":["reader","writer"],"expires":null}"#)
        server.setRoute("/v2/login", Behaviour.respond(answer).adjusting { $0.addsDate = false })
        server.setRoute("/in/note", .respond(.text("thanks\n", status: 201)))
    }

    @Sendable private static func prepareTable(_ terminal: PseudoTerminal) async throws {
        try await terminal.waitForScreen("three rows done, two failed") { screen in
            ["retrying 1 · failed 2 · done 3", "62%", "37%", "12%"].allSatisfy { screen.text.contains($0) }
        }
        try await terminal.press("/dataset\r")
        try await terminal.press("p")
        try await terminal.waitForScreen("the pause") { $0.text.contains(/‖.*dataset/) }
        try await terminal.press(escape + escape + "/old-image\r")
        try await terminal.press("x")
        try await terminal.press("k")
        try await terminal.waitForScreen("the end of a download") { $0.text.contains(/⊘.*old-image/) }
    }

    private static let listSteps = [
        GoldenStep("table", "g", triesAgain: true),
        GoldenStep("table-end", "G", back: "g"),
        GoldenStep("names-scrolled", "l", back: "h"),
        GoldenStep("tab-data", "2", back: "1"),
        GoldenStep("tab-upload", "3", back: "1"),
        GoldenStep("tab-download", "4", back: "1"),
        GoldenStep("marks", "  j g", back: "U"),
        GoldenStep("mark-range", "VjjjV", back: "Ug"),
        GoldenStep("sorted-by-next", ">", back: "<"),
        GoldenStep("sorted-inverted", "I", back: "I"),
        GoldenStep("time-taken", "t"),
        GoldenStep("time-of-end", "t", back: "t"),
        GoldenStep("frozen", "Z", back: "Z"),
        GoldenStep("filter", "/iso", back: escape),
        GoldenStep("filter-kept", "/iso\r", back: escape),
        GoldenStep("filter-word", "/sta\t", back: escape),
        GoldenStep("filter-expression", "/state:failed kind:download\r", back: escape),
        GoldenStep("filter-problem", "/state:x", back: escape),
        GoldenStep("filter-none", "/nothing\r", back: escape),
    ]

    private static let overlaySteps = [
        GoldenStep("state-menu", "fj j ", back: "q", escape),
        GoldenStep("sort-menu", "sj", back: "q"),
        GoldenStep("cancel-dialog", "x", back: "n"),
        GoldenStep("cancel-dialog-many", "Ax", back: "n", "Ug"),
        GoldenStep("cancel-dialog-delete", "x\t\t", back: "n"),
        GoldenStep("clear-dialog", "C", back: "n"),
        GoldenStep("quit-dialog", "q", back: escape),
        GoldenStep("help-over-dialog", "x?", back: escape, "n"),
        GoldenStep("options-columns", "ojjjjjj  ", back: "  q"),
        GoldenStep("event-log", "L", back: "q"),
        GoldenStep("filter-refused", "/state:x\r", back: escape, escape),
        GoldenStep("disabled-key", "Gp", back: escape + "g", triesAgain: true),
        GoldenStep("edit-form", "e", back: escape),
        GoldenStep("repeat-prompt", "/orders\rE", back: escape),
        GoldenStep("repeat-problem", "Ex\r", back: escape, escape + "g"),
    ]

    private static let paneSteps = [
        GoldenStep("pane-large", "d"),
        GoldenStep("pane-off", "d", back: "d"),
        GoldenStep("pane-headers", "]"),
        GoldenStep("pane-timing", "]"),
        GoldenStep("pane-connection", "]"),
        GoldenStep("pane-resume", "]"),
        GoldenStep("pane-log", "]"),
        GoldenStep("pane-body", "]", back: "]"),
    ]

    /// The full screen: of a download under way, of a failed one, and of a data request that is sent once more.
    ///
    /// The answer is the first thing that moves, so nothing with a speed on it may follow.
    private static let detailsSteps = [
        GoldenStep("details", "\r"),
        GoldenStep("details-headers", "]"),
        GoldenStep("details-timing", "]"),
        GoldenStep("details-connection", "]"),
        GoldenStep("details-resume", "]"),
        GoldenStep("details-log", "]"),
        GoldenStep("details-body", "]", back: "]q"),
        GoldenStep("details-failed", "n\r", back: "q"),
        GoldenStep("details-answer", "P/login\rr\(escape)\r"),
        GoldenStep("details-answer-headers", "]"),
        GoldenStep("details-answer-timing", "]"),
        GoldenStep("details-answer-connection", "]"),
        GoldenStep("details-answer-resume", "]"),
        GoldenStep("details-answer-log", "]"),
        GoldenStep("details-answer-body", "]"),
        GoldenStep("write-prompt", "w", back: escape),
    ]
}
