import LoopbackServer
import TerminalTestSupport

extension StandingRows {
    /// Rows of every kind and in every state that lasts.
    static let table = StandingRows(
        name: "table",
        list: """
            ~/busy.deb
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
        steps: listSteps + overlaySteps + detailsSteps + answerSteps)

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
        // Asked for by another name of the server, which is held for an hour.
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
        try await terminal.press(Keys.escape + Keys.escape + "/old-image\r")
        try await terminal.press("x")
        try await terminal.press("k")
        try await terminal.waitForScreen("the end of a download") { $0.text.contains(/⊘.*old-image/) }
    }

    private static let listSteps = [
        Step(
            "g", "All 12", "Request 2", "Upload 3", "Download 7",
            "running 3 · queued 1 · paused 2 · failed 2 · done 3 · cancelled 1", "from ", "cancelled",
            "report.pdf → /ingest/report.pdf", "text → /refused", "GET /v2/orders?limit=500"),
        Step("G", "── 12 of 12", "▌  ⊘ ↓ old-image.qcow2", back: ["g"]),
        Step("l", "┃Overview┃", "debian-12.7.0-amd64-netinst.iso", "running · 62%", back: ["h"]),
        Step("2", "┃2 Request 2┃", "of 2 · session default · sort state", back: ["1"]),
        Step("3", "┃3 Upload 3┃", "of 3 · session default · sort state", back: ["1"]),
        Step("4", "┃4 Download 7┃", "of 7 · session default · sort state", back: ["1"]),
        Step("g  g", "2 marked", back: ["U"]),
        Step("gVjjjV", "4 marked", "▌● · ↓ busy.deb", back: ["Ug"]),
        Step(">", "sort name ▾", back: ["<"]),
        Step("I", "sort state ▴", back: ["Ig"]),
        Step("t", "TAKEN STATE", back: []),
        Step("t", "ENDS STATE", back: ["t"]),
        Step("&", "Grouped by host: 2 groups", "11 tasks ▸3/16", "by host, sort state", back: ["&&&"]),
        Step("@g", "3 running, 3 awaiting response (max", "Last error: ", back: ["@g"]),
        Step("\u{7}", "↓ down  peak", "↑ up", back: ["\u{7}"]),
        Step("Z", "frozen, Z unfreezes", back: ["Z"]),
        Step("/sta\t", " / state:", back: [Keys.escape]),
        Step("/state:failed kind:download\r", "── 1 of 1", "▌  ✗ ↓ build-8812.zip", back: [Keys.escape, Keys.escape]),
        Step(
            "/state:x\r",
            "✗ No state x: running retrying queued pausing paused verifying saving failed done cancelled",
            back: [Keys.escape, Keys.escape]),
        Step("/nothing\r", "No task matches the filter", back: [Keys.escape, Keys.escape]),
    ]

    private static let overlaySteps = [
        Step("x", "Cancel 1 task?", "62%  244K of 390K  can resume", "[ No ]", back: ["n"]),
        Step("Ax", "Cancel 6 tasks?", "37%  146K of 390K  can resume", "queued", back: ["n", "Ug"]),
        Step("x\t\t", "[ Cancel and delete ]", back: ["n"]),
        Step("C", "Removes 3 done, 2 failed, 1 cancelled", "files on disk", back: ["n"]),
        Step("q", "4 unfinished tasks", "4 tasks can resume next time", "[ Stay ]", back: [Keys.escape]),
        Step("x?", "Help: Cancel dialog", "Cancel, keep partial files", back: [Keys.escape, "n"]),
        Step("e", "/debian-12.7.0-amd64-netinst.iso", "[ Save ]", "[x] resume", back: [Keys.escape]),
        Step(
            "/orders\rEx\r", "Enter seconds from 1 to 86400",
            back: [Keys.escape, Keys.escape, Keys.escape + "g"]),
        Step("Gp", "Nothing to pause", back: ["g"]),
    ]

    /// The full screen: of a download under way and of a failed one.
    private static let detailsSteps = [
        Step(
            "\r", "GET http://127.0.0.1:", "State      waiting for a response", "Progress   244K of 390K",
            "resumed at 244K",
            "Retries    0 of 5 · priority normal"),
        Step("]", "┃Headers┃", "GET /debian-12.7.0-amd64-netinst.iso", "No response yet"),
        Step("]", "┃Timing┃", "No response yet"),
        Step("]", "┃Connection┃", "TLS        no: plain http", "not connected yet"),
        Step("]", "┃Resume┃", "Resumable  yes", "the server supports ranges", "244 KiB"),
        Step("]", "┃Log┃"),
        Step("]", "┃Graph┃"),
        Step("]", "┃Body┃", "No file yet; v opens it when complete", back: ["]q"]),
        Step(
            "n\r", "404 Not Found from", "Tried      1 attempt, 4xx is not retried",
            "Next       r retry · e edit and retry", back: ["q"]),
    ]

    /// The full screen of a data request that is sent once more, with everything that its answer brought.
    private static let answerSteps = [
        Step(
            "P/login\rr\(Keys.escape)\r", "done · 100%", "Status     200 OK · application/json",
            "Progress   63B of 63B", "HTTP/1.1", "response 200", "completed, 63 B in"),
        Step("]", "POST /v2/login HTTP/1.1", "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: 63"),
        Step("]", "Phase timing (ms)", "connect", "request", "wait", "body", "total"),
        Step("]", "Peer       127.0.0.1:", "Local      127.0.0.1:", "Reused     no", "Redirects  0"),
        Step("]", "Resumable  no", "a request is sent again from its start", "Kept       63 B"),
        Step("]", "started", "response 200", "completed, 63 B in"),
        Step("]", "┃Graph┃"),
        Step(
            "]", "JSON · application/json · 63B", #""token": "a\u001bb","#, #"    "reader","#, #""expires": null"#),
        Step("w", "Save body as login", back: [Keys.escape]),
    ]
}
