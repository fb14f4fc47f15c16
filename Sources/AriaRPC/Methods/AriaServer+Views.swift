import SessionSupport
import TransferValues

/// Reads the facts about tasks, many at once.
extension AriaServer {
    /// The statuses of some tasks with these keys; tasks that have left the list are left out.
    func statuses(of ids: [UInt64], _ keys: [StatusKey]) -> [JSONValue] {
        statuses(of: tasks.figures(of: ids), keys)
    }

    func statuses(of rows: [RowFigures], _ keys: [StatusKey]) -> [JSONValue] {
        views(of: rows) { row in keys.reduce(into: []) { $0.formUnion($1.needs(row)) } }.map { view in
            .object(keys.compactMap { key in key.value(view).map { JSONValue.Member(key.name, $0) } })
        }
    }

    func views(of rows: [RowFigures], needs: (RowFigures) -> TaskNeeds) -> [TaskView] {
        let gids = gids()
        let needed = rows.map(needs)
        func ids(with need: TaskNeeds) -> [UInt64] {
            zip(rows, needed).compactMap { $1.contains(need) ? $0.id : nil }
        }
        let jobs = jobs(of: ids(with: .job))
        let errors = Dictionary(
            tasks.rows(of: ids(with: .row)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let moving = ids(with: .connections)
        let connections = moving.isEmpty ? [:] : tasks.connections(of: moving)
        let now = program.now()
        return zip(rows, needed).map { row, needs in
            var view = TaskView(gid: gids.gid(of: row.id), figures: row, directory: directory)
            view.row = errors[row.id]
            view.job = jobs[row.id]
            if needs.contains(.details) { view.details = tasks.details(of: row.id) }
            if needs.contains(.path) { view.knownPath = tasks.path(of: row.id) }
            view.connections = connections[row.id] ?? 0
            if needs.contains(.speed) { view.speed = state.withLock { $0.speeds.speed(of: row, at: now) } }
            return view
        }
    }

    /// The jobs of some rows by id.
    func jobs(of ids: [UInt64]) -> [UInt64: Job] {
        guard !ids.isEmpty else { return [:] }
        let jobs = tasks.jobs(of: ids)
        // A row that has left the list in the meantime has no job.
        let pairs =
            jobs.count == ids.count
            ? Array(zip(ids, jobs)) : ids.compactMap { id in tasks.jobs(of: [id]).first.map { (id, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The sums over all tasks.
    var globalStatus: JSONValue {
        var counts: [TaskPhase: Int] = [:]
        var active: [UInt64] = []
        for row in standings() {
            let phase = row.phase
            counts[phase, default: 0] += 1
            if phase == .active { active.append(row.id) }
        }
        var (down, up): (Int64, Int64) = (0, 0)
        let now = program.now()
        for row in tasks.figures(of: active) {
            let speed = state.withLock { $0.speeds.speed(of: row, at: now) }
            if row.kind == .upload { up += speed } else { down += speed }
        }
        let stopped = [TaskPhase.error, .complete, .removed].reduce(0) { $0 + (counts[$1] ?? 0) }
        return .object([
            JSONValue.Member("downloadSpeed", .digits(down)),
            JSONValue.Member("numActive", .digits(counts[.active] ?? 0)),
            JSONValue.Member("numStopped", .digits(stopped)),
            JSONValue.Member("numStoppedTotal", .digits(stopped)),
            JSONValue.Member("numWaiting", .digits((counts[.waiting] ?? 0) + (counts[.paused] ?? 0))),
            JSONValue.Member("uploadSpeed", .digits(up)),
        ])
    }
}
