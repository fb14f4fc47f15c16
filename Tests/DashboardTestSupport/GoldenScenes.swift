package import Dashboard

/// The models that golden screens are taken of, each built by messages alone.
package enum GoldenScenes {
    /// A scene: its name in file names, and how it comes about.
    package struct Scene: Sendable, CustomStringConvertible {
        package var name: String
        package var build: @Sendable (Size) -> Model
        package var description: String { name }
    }

    package static let all: [Scene] = [
        Scene(name: "empty") { start($0, rows: []) },
        Scene(name: "table") { table($0) },
        Scene(name: "filter") { pressed($0, "/iso") },
        Scene(name: "filter-none") { pressed($0, "/nothing", then: [.enter]) },
        Scene(name: "tab-upload") { pressed($0, "3") },
        Scene(name: "cancel-dialog") { pressed($0, "x") },
        Scene(name: "remove-dialog") { pressed($0, "nX") },
        Scene(name: "remove-dialog-marked") { pressed($0, "AX") },
        Scene(name: "action-menu") { pressed($0, "njmjj") },
        Scene(name: "new-url-prompt") { pressed($0, "n!ftp://h/", then: [.enter]) },
        Scene(name: "move-prompt") { pressed($0, "W") },
        Scene(name: "quit-dialog") { pressed($0, "q") },
        Scene(name: "detach-dialog") { size in
            var model = pressed(size, "")
            _ = update(&model, .owned(.service))
            _ = update(&model, .key(.character("q")))
            return model
        },
        Scene(name: "quit-dialog-not-saved") { size in
            var model = pressed(size, "q")
            _ = update(&model, .notSaved)
            return model
        },
        Scene(name: "quit-dialog-demo") { size in
            var model = pressed(size, "q")
            model.isSaved = false
            model.keepsParts = false
            return model
        },
        Scene(name: "leaving") { pressed($0, "qw") },
        Scene(name: "quit-dialog-waiting") { pressed($0, "qwq") },
        Scene(name: "clear-dialog") { pressed($0, "C") },
        Scene(name: "file-dialog") { size in
            var model = pressed(size, "")
            let id = model.rows.all.first { $0.kind == .download }?.id
            guard var row = id.flatMap({ model.rows[$0] }) else { return model }
            (row.state, row.cause, row.error) = (.paused, .destinationExists, "File exists: ubuntu.iso")
            _ = update(&model, .rows([row]))
            return model
        },
        Scene(name: "help") { pressed($0, "?") },
        Scene(name: "help-filter") { pressed($0, "?mark") },
        Scene(name: "help-signs") { pressed($0, "?", then: Array(repeating: .pageDown, count: 12)) },
        Scene(name: "filter-help") { pressed($0, "/", then: [.function(1)]) },
        Scene(name: "filter-words") { pressed($0, "/iso -ubuntu or state:fail,pau size:>100M") },
        Scene(name: "palette") { pressed($0, ":all") },
        Scene(name: "palette-none") { pressed($0, ":nothing") },
        Scene(name: "sort-menu") { pressed($0, "s") },
        Scene(name: "state-menu") { pressed($0, "fj ") },
        Scene(name: "details") { pressed($0, "", then: [.enter]) },
        Scene(name: "details-timing") { pressed($0, "", then: [.enter, .character("]"), .character("]")]) },
        Scene(name: "details-headers") { pressed($0, "", then: [.enter, .character("]")]) },
        Scene(name: "details-connection") { pressed($0, "]]]", then: [.enter]) },
        Scene(name: "details-segments") { segments($0) },
        Scene(name: "details-sources") { sources($0) },
        Scene(name: "limit-prompt") { limitPrompt($0) },
        Scene(name: "limit-task-prompt") { pressed($0, "u300k 1M") },
        Scene(name: "limits") { limits($0) },
        Scene(name: "details-limited-host") { limitedHost($0) },
        Scene(name: "details-resume") { pressed($0, "]]]]", then: [.enter]) },
        Scene(name: "details-resume-upload") { pressed($0, "j]]]]", then: [.enter]) },
        Scene(name: "details-request") { pressed($0, "jj", then: [.enter]) },
        Scene(name: "details-request-body") { pressed($0, "jj]", then: [.enter]) },
        Scene(name: "details-body") { pressed($0, "jj[", then: [.enter]) },
        Scene(name: "details-json") { json($0) },
        Scene(name: "details-json-folded") { json($0, keys: [.down, .enter]) },
        Scene(name: "details-json-path") { json($0, keys: "..orders[].id".map(KeyPress.character) + [.enter]) },
        Scene(name: "details-json-path-prompt") {
            json($0, keys: "..orders[7]".map(KeyPress.character) + [.enter])
        },
        Scene(name: "details-search") { pressed($0, "jj[", then: [.enter] + "/ID".map(KeyPress.character) + [.enter]) },
        Scene(name: "details-search-none") {
            pressed($0, "]", then: [.enter] + "/x-y".map(KeyPress.character) + [.enter])
        },
        Scene(name: "details-failed") { pressed($0, "n") },
        Scene(name: "write-prompt") { pressed($0, "jjw") },
        Scene(name: "repeat-prompt") { pressed($0, "jjEx", then: [.enter]) },
        Scene(name: "options") { pressed($0, "ojj") },
        Scene(name: "options-columns") { pressed($0, "ojjjjjjjj  j ", then: [.escape]) },
        Scene(name: "options-order") { pressed($0, "ojjjjjjjJJJ") },
        Scene(name: "columns-wide") {
            pressed($0, "o", then: [.end, .up, .up] + "+++".map(KeyPress.character) + [.escape])
        },
        Scene(name: "options-widths") { pressed($0, "o", then: [.end, .up, .up] + "+++".map(KeyPress.character)) },
        Scene(name: "session") { size in
            var model = table(size)
            model.sessionName = "nightly"
            model.hasNamedSession = true
            return model
        },
        Scene(name: "not-saved") { size in
            var model = table(size)
            send(&model, .notSaved)
            return model
        },
        Scene(name: "pausing") { size in
            var model = table(size)
            model.changeRow(3) {
                $0.state = .pausing
                $0.inFlight = 1_468_006
            }
            while model.current?.id != 3 { send(&model, .key(.down)) }
            return model
        },
        Scene(name: "requests") { requests($0) },
        Scene(name: "requests-paused") { size in
            var model = requests(size)
            for key in "p".map(KeyPress.character) { send(&model, .key(key)) }
            model.changeRow(1) {
                $0.state = .paused
                $0.repetition = .paused
            }
            return model
        },
        Scene(name: "groups-by-folder") { size in
            var model = start(size, rows: GoldenRows.folders)
            for key in "&&".map(KeyPress.character) { send(&model, .key(key)) }
            send(&model, .key(.home))
            return model
        },
        Scene(name: "action-menu-done") { size in
            var model = start(size, rows: GoldenRows.folders)
            while model.current?.id != 1 { send(&model, .key(.down)) }
            send(&model, .key(.character("m")))
            return model
        },
        Scene(name: "graph") { graph($0, keys: [.control("g")]) },
        Scene(name: "graph-large") { graph($0, keys: [.control("g"), .character("d")]) },
        Scene(name: "graph-empty") { size in
            var model = start(size, rows: [])
            send(&model, .key(.control("g")))
            return model
        },
        Scene(name: "details-graph") { graph($0, keys: [.character("["), .character("["), .enter]) },
        Scene(name: "groups") { pressed($0, "&") },
        Scene(name: "groups-folded") { pressed($0, "&&&", then: [.home, .enter]) },
        Scene(name: "hosts") { size in
            var model = pressed(size, "@", then: [.home])
            send(&model, .connections([1: "a", 2: "b", 3: "c", 6: "d"]))
            for _ in 0..<2 { send(&model, .key(.down)) }
            return model
        },
        Scene(name: "save-view") { pressed($0, ";", then: [.control("u")] + "4 x".map(KeyPress.character) + [.enter]) },
        Scene(name: "sort-ties") { pressed($0, "s", then: [.down, .down, .down, .enter, .character("s")]) },
        Scene(name: "frozen") { pressed($0, "Z") },
        Scene(name: "filter-problem") { pressed($0, "/state:x") },
        Scene(name: "add-form") { form($0) },
        Scene(name: "add-form-curl") { curlForm($0) },
        Scene(name: "add-form-exists") { existingForm($0) },
        Scene(name: "add-form-another") { anotherForm($0) },
        Scene(name: "add-form-over") { overForm($0) },
        Scene(name: "edit-form") { editForm($0) },
        Scene(name: "many-files") { manyFiles($0) },
        Scene(name: "toast") { failure($0) },
        Scene(name: "event-log") { pressed($0, "pL") },
        Scene(name: "event-log-tasks") { eventLog($0) },
        Scene(name: "event-log-filter") { size in
            var model = eventLog(size)
            for key in "/iso".map(KeyPress.character) { send(&model, .key(key)) }
            return model
        },
        Scene(name: "event-log-wrong") { size in
            var model = eventLog(size)
            for key in "/size:>".map(KeyPress.character) + [.enter] { send(&model, .key(key)) }
            return model
        },
        Scene(name: "history") { history($0, keys: "jj") },
        Scene(name: "history-filter") { history($0, keys: "/host:m") },
        Scene(name: "history-asked") { history($0, keys: "jx") },
        Scene(name: "history-empty") { size in
            var model = pressed(size, "", then: [.control("r")])
            send(&model, .history(HistoryPage([], now: 0, today: .empty), problem: nil))
            return model
        },
        Scene(name: "rates") { rates($0) },
        Scene(name: "amend-prompt") { pressed($0, "edir=~/isos") },
        Scene(name: "amend-prompt-wrong") { pressed($0, "edri=~/isos", then: [.enter]) },
        Scene(name: "left-parts") { leftovers($0, keys: "j") },
        Scene(name: "left-parts-asked") { leftovers($0, keys: "jx") },
        Scene(name: "left-parts-all") { leftovers($0, keys: "X") },
        Scene(name: "left-parts-none") { size in
            var model = pressed(size, "~")
            send(&model, .leftovers([], problem: nil))
            return model
        },
        Scene(name: "left-parts-problem") { size in
            var model = pressed(size, "~")
            let path: SafeText = "/home/me/.local/state/netdash/sessions/work.sqlite"
            send(&model, .leftovers([], problem: "Cannot use saved session \(path): a row cannot be read"))
            return model
        },
        Scene(name: "tour") { size in
            var model = table(size)
            model.tour = Tour()
            model.keys = model.keys.withTour
            for key in [KeyPress.function(3), .character("j")] { send(&model, .key(key)) }
            return model
        },
        Scene(name: "same-names") { start($0, rows: GoldenRows.sameNames) },
        Scene(name: "evil-names") { start($0, rows: GoldenRows.evil) },
    ]

    /// Sends a message, and answers what is asked for as the session would.
    package static func send(_ model: inout Model, _ message: Message) {
        for effect in update(&model, message) {
            switch effect {
            case .watch(2): send(&model, .details(2, GoldenRows.releaseDetails))
            case .watch(3): send(&model, .details(3, GoldenRows.uploadDetails))
            case .lookUp(let job):
                send(
                    &model,
                    .lookedUp(
                        job, DestinationInfo(occupant: .file, numberedName: "big (1).iso", keptBytes: 330_301_440)))
            case .askPaths(let ids):
                send(&model, .destinations(ids.map { FilePlace(id: $0, path: "/home/me/dl/file.iso") }))
            case .watch(6): send(&model, .details(6, GoldenRows.requestDetails))
            default: break
            }
        }
    }

    /// The mock-up: thirteen rows, five seconds in, the second selected, two marked.
    package static func table(_ size: Size) -> Model {
        var model = start(size, rows: GoldenRows.mockUp)
        send(&model, .key(.character("j")))
        send(&model, .key(.character(" ")))
        while model.current?.state != .paused { send(&model, .key(.down)) }
        send(&model, .key(.character(" ")))
        send(&model, .key(.home))
        send(&model, .key(.down))
        return model
    }

    /// Rows that have moved at their speeds for five seconds.
    package static func start(_ size: Size, rows: [GoldenRows.Row]) -> Model {
        var model = Model()
        send(&model, .resized(size))
        for step in 0...10 {
            send(&model, .clock(1000 + Int64(step) * 500))
            send(&model, .rows(rows.map { $0.snapshot(halfSecondsLeft: 10 - step) }))
        }
        send(&model, .clock(6500))
        send(&model, .rows(rows.map { $0.snapshot(halfSecondsLeft: 0) }))
        return model
    }

    /// The body of an answer that is JSON, on the whole screen.
    private static func json(_ size: Size, keys: [KeyPress] = []) -> Model {
        var model = pressed(size, "jj[", then: [.enter])
        send(&model, .details(6, GoldenRows.jsonDetails))
        for key in keys { send(&model, .key(key)) }
        return model
    }

    static func pressed(_ size: Size, _ characters: String, then keys: [KeyPress] = []) -> Model {
        var model = table(size)
        for key in characters.map(KeyPress.character) + keys { send(&model, .key(key)) }
        return model
    }

    /// Leftovers of one folder, by path as the search finds them.
    private static func leftovers(_ size: Size, keys: String) -> Model {
        var model = pressed(size, "~")
        let folder = "/home/me/Downloads/"
        send(
            &model,
            .leftovers(
                [
                    LeftoverLine(
                        path: folder + ".debian-12.iso.0a1b2c3d.part", meaning: .resumable, byteCount: 331_350_016,
                        age: 262_800, url: "https://deb.example/debian-12.iso"),
                    LeftoverLine(
                        path: folder + ".gone.bin.deadbeef.part.meta", meaning: .description, byteCount: 412,
                        age: 5_000, url: "https://h.example/gone.bin"),
                    LeftoverLine(
                        path: folder + ".photos.zip.11223344.part", meaning: .worthless, byteCount: 20_480, age: 50),
                    LeftoverLine(
                        path: folder + ".tool.tar.0000ffff.part.bad", meaning: .refused, byteCount: 1_200_000,
                        age: 7_300),
                ], problem: nil))
        for key in keys.map(KeyPress.character) { send(&model, .key(key)) }
        return model
    }

    /// The log of what happened to some rows, on a morning.
    private static func eventLog(_ size: Size) -> Model {
        var model = table(size)
        send(&model, .timeOfDay(32_707_000))
        send(&model, .key(.character("L")))
        let events: [(UInt64, SafeText, SafeText, Bool)] = [
            (1, "debian-12.11.0-amd64-netinst.iso", "started", false),
            (1, "debian-12.11.0-amd64-netinst.iso", "response 200, can be resumed", false),
            (2, "release-2026.11-linux-x86_64.tar.zst", "paused", false),
            (2, "release-2026.11-linux-x86_64.tar.zst", "resumed", false),
            (3, "photos.zip", "retry 1 in 2.00s: Connection refused by photos.example", false),
            (1, "debian-12.11.0-amd64-netinst.iso", "completed, 631 MiB in 1:04", false),
            (3, "photos.zip", "failed: 404 Not Found from photos.example", true),
        ]
        send(
            &model,
            .log(
                events.enumerated().map { index, event in
                    LogEntry(
                        time: 1_000 + Int64(index) * 700, id: event.0, name: event.1, text: event.2, isError: event.3)
                }))
        return model
    }

    /// Requests that are equal, repeated, answered well and badly; the repeated one is selected.
    private static func requests(_ size: Size) -> Model {
        var model = start(size, rows: GoldenRows.requests)
        send(&model, .key(.end))
        while model.current?.id != 1 { send(&model, .key(.up)) }
        var details = RowDetails()
        details.statusLine = "200 OK"
        (details.repeatInterval, details.latencies) = (5, [12, 14, 11])
        send(&model, .details(1, details))
        return model
    }

    /// Ten thousand small files, of which a thousand ended in five seconds; one is being saved.
    private static func manyFiles(_ size: Size) -> Model {
        var model = start(size, rows: [])
        func row(_ id: UInt64, _ state: RowState, at time: Int64) -> RowSnapshot {
            var row = RowSnapshot(
                id: id, kind: .download, name: "part-" + SafeText(id) + ".json",
                url: "https://h.example/part-" + SafeText(id) + ".json")
            row.host = "h.example"
            row.state = state
            guard state == .done || state == .saving else { return row }
            (row.received, row.expected, row.startedAt) = (9300, 9300, time - 40)
            if state == .done { row.endedAt = time }
            return row
        }
        send(&model, .rows((1...10_000).map { row(UInt64($0), .queued, at: 0) }))
        for step in 1...10 {
            let time = 6500 + Int64(step) * 500
            send(&model, .rows((1...100).map { row(UInt64((step - 1) * 100 + $0), .done, at: time) }))
            send(&model, .rows([row(UInt64(step * 100 + 1), .saving, at: time)]))
            send(&model, .clock(time))
        }
        return model
    }

    /// A download that goes up and down for four minutes, with a minute of rest, and an upload beside it.
    private static func graph(_ size: Size, keys: [KeyPress]) -> Model {
        var model = Model()
        send(&model, .resized(size))
        send(&model, .clock(1000))
        send(&model, .timeOfDay(43_200_000))
        var (download, upload) = (GoldenRows.mockUp[0].snapshot, GoldenRows.mockUp[2].snapshot)
        (download.received, upload.sent) = (0, 0)
        for step in 0..<480 {
            let speed = (step / 2) % 60 * 200 * 1024
            if !(240..<360).contains(step) { download.received += Int64(speed / 2) }
            upload.sent += 600_000
            send(&model, .rows([download, upload]))
            send(&model, .clock(1000 + Int64(step) * 500))
        }
        for key in keys { send(&model, .key(key)) }
        return model
    }

    private static func failure(_ size: Size) -> Model {
        var model = table(size)
        send(&model, .toast("build-8812.zip failed: 404 Not Found from ci.example.org", isError: true))
        return model
    }
}

extension Model {
    /// Changes a row as its transfer would.
    fileprivate mutating func changeRow(_ id: UInt64, _ change: (inout RowSnapshot) -> Void) {
        guard var row = rows[id] else { return }
        change(&row)
        _ = update(&self, .rows([row]))
    }
}
