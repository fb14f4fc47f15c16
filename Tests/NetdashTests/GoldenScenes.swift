@testable import netdash

/// The models that golden screens are taken of, each built by messages alone.
enum GoldenScenes {
    /// A scene: its name in file names, and how it comes about.
    struct Scene: Sendable, CustomStringConvertible {
        var name: String
        var build: @Sendable (Size) -> Model
        var description: String { name }
    }

    static let all: [Scene] = [
        Scene(name: "empty") { start($0, rows: []) },
        Scene(name: "table") { table($0) },
        Scene(name: "filter") { pressed($0, "/iso") },
        Scene(name: "filter-none") { pressed($0, "/nothing", then: [.enter]) },
        Scene(name: "tab-upload") { pressed($0, "3") },
        Scene(name: "cancel-dialog") { pressed($0, "x") },
        Scene(name: "quit-dialog") { pressed($0, "q") },
        Scene(name: "clear-dialog") { pressed($0, "C") },
        Scene(name: "help") { pressed($0, "?") },
        Scene(name: "help-filter") { pressed($0, "?mark") },
        Scene(name: "sort-menu") { pressed($0, "s") },
        Scene(name: "state-menu") { pressed($0, "fj ") },
        Scene(name: "details") { pressed($0, "", then: [.enter]) },
        Scene(name: "details-timing") { pressed($0, "", then: [.enter, .character("]"), .character("]")]) },
        Scene(name: "add-form") { form($0) },
        Scene(name: "toast") { failure($0) },
        Scene(name: "event-log") { pressed($0, "pL") },
        Scene(name: "evil-names") { start($0, rows: GoldenRows.evil) },
    ]

    /// The mock-up: thirteen rows, five seconds in, the second selected, two marked.
    static func table(_ size: Size) -> Model {
        var model = start(size, rows: GoldenRows.mockUp)
        _ = update(&model, .key(.character("j")))
        _ = update(&model, .key(.character(" ")))
        while model.current?.state != .paused { _ = update(&model, .key(.down)) }
        _ = update(&model, .key(.character(" ")))
        _ = update(&model, .key(.home))
        _ = update(&model, .key(.down))
        return model
    }

    /// Rows that have moved at their speeds for five seconds.
    static func start(_ size: Size, rows: [GoldenRows.Row]) -> Model {
        var model = Model()
        _ = update(&model, .resized(size))
        for step in 0...10 {
            _ = update(&model, .clock(1000 + Int64(step) * 500))
            _ = update(&model, .rows(rows.map { $0.snapshot(halfSecondsLeft: 10 - step) }))
        }
        _ = update(&model, .clock(6500))
        _ = update(&model, .rows(rows.map { $0.snapshot(halfSecondsLeft: 0) }))
        return model
    }

    private static func pressed(_ size: Size, _ characters: String, then keys: [KeyPress] = []) -> Model {
        var model = table(size)
        for key in characters.map(KeyPress.character) + keys { _ = update(&model, .key(key)) }
        return model
    }

    private static func form(_ size: Size) -> Model {
        var model = start(size, rows: [])
        _ = update(&model, .key(.character("a")))
        _ = update(&model, .paste("https://dl.example.net/big.iso\nhttps://dl.example.net/second.iso\n"))
        for key: KeyPress in [.tab, .tab, .tab, .character("x")] { _ = update(&model, .key(key)) }
        _ = update(&model, .key(.enter))
        return model
    }

    private static func failure(_ size: Size) -> Model {
        var model = table(size)
        _ = update(&model, .toast("build-8812.zip failed: 404 Not Found from ci.example.org", isError: true))
        return model
    }
}
