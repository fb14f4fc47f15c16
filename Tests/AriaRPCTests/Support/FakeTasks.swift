import SessionSupport
import TransferValues

@testable import AriaRPC

/// Tasks without a network: commands change rows at once, and a test says what servers would.
final class FakeTasks: AriaTasks {
    struct Row {
        var figures: RowFigures
        var job: Job
        var details = RowDetails()
        var error: SafeText?
        var path: String?
    }

    struct State {
        var rows: [Row] = []
        var last: UInt64 = 0
        var clock: Int64 = 1_000
        var limits = TransferLimits(all: 2)
        var rates = RatePlan()
        var commands: [TransferCommand] = []
        /// Whether a running task that is cancelled ends later.
        var endsLater = false
        /// Whether a download that has ended stands for a job that repeats it.
        var knowsEnded = false
        /// Why rows are not replaced; nil where they are.
        var refusal: String?
        /// How many more rows are added; nil for any number.
        var room: Int?
    }

    let state = Locked(State())

    func with(_ id: UInt64, _ change: (inout Row) -> Void) {
        state.withLock { state in
            guard let index = state.rows.firstIndex(where: { $0.figures.id == id }) else { return }
            change(&state.rows[index])
        }
    }

    // MARK: - Questions

    func ids() -> [UInt64] { state.withLock { $0.rows.map(\.figures.id) } }

    func ids(after id: UInt64, limit: Int) -> [UInt64] { Array(ids().filter { $0 > id }.prefix(limit)) }

    func standings() -> [RowStanding] { state.withLock { $0.rows.map { RowStanding($0.figures) } } }

    private func rows(_ ids: [UInt64]) -> [Row] {
        state.withLock { state in
            let byID = Dictionary(uniqueKeysWithValues: state.rows.map { ($0.figures.id, $0) })
            return ids.compactMap { byID[$0] }
        }
    }

    func figures(of ids: [UInt64]) -> [RowFigures] { rows(ids).map(\.figures) }

    func rows(of ids: [UInt64]) -> [RowSnapshot] {
        rows(ids).map { row in
            var snapshot = RowSnapshot(
                id: row.figures.id, kind: row.job.kind, name: "task", url: SafeText(untrusted: row.job.url))
            (snapshot.figures, snapshot.error) = (row.figures, row.error)
            return snapshot
        }
    }

    func jobs(of ids: [UInt64]) -> [Job] {
        rows(ids).map { row in
            var job = row.job
            if job.kind == .download { job.directory = job.directory ?? "/downloads" }
            return job
        }
    }

    func details(of id: UInt64) -> RowDetails? { rows([id]).first?.details }
    func path(of id: UInt64) -> String? { rows([id]).first?.path }

    func connections(of ids: [UInt64]) -> [UInt64: Int] {
        Dictionary(uniqueKeysWithValues: rows(ids).filter { $0.figures.received > 0 }.map { ($0.figures.id, 1) })
    }

    var limits: (TransferLimits, RatePlan) { state.withLock { ($0.limits, $0.rates) } }

    // MARK: - Commands

    func send(_ command: TransferCommand) -> AriaReply {
        state.withLock { state in
            state.commands.append(command)
            state.clock += 1
            return Self.carryOut(command, &state)
        }
    }

    private static func carryOut(_ command: TransferCommand, _ state: inout State) -> AriaReply {
        let gone = command.rows.filter { id in !state.rows.contains { $0.figures.id == id } }
        guard gone.isEmpty else { return AriaReply(refusals: gone.map { "There is no task \($0)" }) }
        switch command {
        case .add(let jobs):
            let last = state.last
            let rows = jobs.compactMap { add($0, &state) }
            return AriaReply(added: rows.filter { $0 > last }, repeated: rows.filter { $0 <= last })
        case .pause(let ids): change(ids, &state) { $0.figures.state = .paused }
        case .resume(let ids): change(ids, &state) { $0.figures.state = .queued }
        case .cancel(let ids, _):
            let (clock, endsLater) = (state.clock, state.endsLater)
            change(ids, &state) { row in
                guard !endsLater else { return }
                (row.figures.state, row.figures.endedAt) = (.cancelled, clock)
            }
        case .clear(let ids): state.rows.removeAll { ids.contains($0.figures.id) && $0.figures.state.isFinal }
        case .replace(let id, let job, _):
            if let refusal = state.refusal { return AriaReply(refusals: [refusal]) }
            change([id], &state) { row in
                row.job = job
                row.figures.state = job.startsPaused ? .paused : .queued
            }
        case .limitTasks(let ids, let rates): change(ids, &state) { $0.details.rates = rates }
        case .placeInQueue(let id, let place): move(id, to: place, &state)
        case .setLimits(let limits):
            if let refusal = state.refusal { return AriaReply(refusals: [refusal]) }
            state.limits = limits
        case .setRates(let plan): state.rates = plan
        case .setDownloadRate(let rate): state.rates.download = rate
        case .remove(let ids, _): state.rows.removeAll { ids.contains($0.figures.id) }
        case .amend, .addFailed, .restore, .forgetEnds, .undo, .startNow, .settle, .fetchAgain, .limitDownloads,
            .prioritise, .moveInQueue, .repeatRequest:
            break
        }
        return AriaReply()
    }

    /// The row of a job: a new one, or the one that it repeats.
    private static func add(_ job: Job, _ state: inout State) -> UInt64? {
        let known = state.rows.first {
            (!$0.figures.state.isFinal || state.knowsEnded) && $0.job.url == job.url && $0.job.output == job.output
        }
        if let known { return known.figures.id }
        guard state.room != 0 else { return nil }
        state.room? -= 1
        state.last += 1
        var figures = RowFigures(id: state.last, kind: job.kind)
        figures.state = job.startsPaused ? .paused : .queued
        var row = Row(figures: figures, job: job)
        row.details.rates = job.rates
        state.rows.append(row)
        return state.last
    }

    private static func change(_ ids: [UInt64], _ state: inout State, _ body: (inout Row) -> Void) {
        for index in state.rows.indices where ids.contains(state.rows[index].figures.id) { body(&state.rows[index]) }
    }

    private static func move(_ id: UInt64, to place: Int, _ state: inout State) {
        var queue = state.rows.filter { [.queued, .paused].contains($0.figures.state) }.map(\.figures)
        queue.sort { $0.position < $1.position }
        let positions = queue.map(\.position)
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return }
        queue.insert(queue.remove(at: index), at: place)
        for (row, position) in zip(queue, positions) { change([row.id], &state) { $0.figures.position = position } }
    }
}

/// A server over such tasks, and what its program was asked for.
struct FakeProgram {
    let tasks = FakeTasks()
    let written = Locked<[String: String]>([:])
    let logged = Locked<[SafeText]>([])
    let seed: GIDSeed
    let server: AriaServer

    init(secret: String? = nil, seed: GIDSeed = GIDSeed()) {
        self.seed = seed
        let (tasks, written, logged) = (tasks, written, logged)
        let program = AriaProgram(
            version: "1.0", directory: "/downloads", userAgent: "netdash/1.0", now: { tasks.state.withLock(\.clock) },
            metalink: { bytes, defaults in
                guard bytes.first == UInt8(ascii: "<") else { return nil }
                return ["a", "b"].map { name in
                    var job = defaults
                    (job.url, job.output) = ("http://host/" + name, .name(name))
                    return job
                }
            },
            write: { text, path in
                written.withLock { $0[path] = text }
                return !path.hasPrefix("/full")
            },
            log: { line in logged.withLock { $0.append(line) } })
        server = AriaServer(tasks, program, secret: secret.map { AriaSecret($0) }, seed: seed)
    }

    /// The result of a call, or its error.
    func call(_ method: String, _ parameters: JSONValue...) -> Result<JSONValue, AriaError> {
        server.run(method, parameters, isTrusted: true).result
    }

    /// The result of a call as its client reads it.
    func result(_ method: String, _ parameters: JSONValue...) throws -> JSONValue {
        try JSONReader.read(JSONWriter.bytes(of: server.run(method, parameters, isTrusted: true).result.get()))
    }

    /// Adds a download and returns its row.
    @discardableResult
    func add(_ url: String = "http://host/file", _ options: [String: JSONValue] = [:]) throws -> UInt64 {
        let members = options.map { JSONValue.Member($0.key, $0.value) }
        _ = try result("aria2.addUri", .array([.string(url)]), .object(members))
        return tasks.state.withLock(\.last)
    }
}
