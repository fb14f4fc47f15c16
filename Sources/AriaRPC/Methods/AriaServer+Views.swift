import SessionSupport
import TransferValues

/// Reads the facts about tasks, many at once.
extension AriaServer {
    /// The statuses of some tasks with these keys; tasks that have left the list are left out.
    func statuses(of ids: [UInt64], _ keys: [StatusKey]) -> JSONValue {
        JSONWriter.value { writer in
            writer.append("[")
            readViews(of: figures(of: ids), needs: StatusKey.needs(of: keys)) { view in
                writer.separate()
                StatusKey.write(view, keys, to: &writer)
            }
            writer.append("]")
        }
    }

    func status(of row: RowFigures, _ keys: [StatusKey]) -> JSONValue {
        JSONWriter.value { writer in
            readViews(of: [row], needs: StatusKey.needs(of: keys)) { StatusKey.write($0, keys, to: &writer) }
        }
    }

    /// Reads what is needed of some tasks, and gives each one as it is made: a page of them would take much memory.
    func readViews(of rows: [RowFigures], needs: (RowFigures) -> TaskNeeds, _ body: (TaskView) -> Void) {
        let gids = gids()
        let directory = directory
        let needed = rows.map(needs)
        func ids(with need: TaskNeeds) -> [UInt64] {
            zip(rows, needed).compactMap { $1.contains(need) ? $0.id : nil }
        }
        // In the order of the rows.
        let jobs = jobPairs(of: ids(with: .job))
        var nextJob = 0
        let errors = Dictionary(
            tasks.rows(of: ids(with: .row)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let moving = ids(with: .connections)
        let connections = moving.isEmpty ? [:] : tasks.connections(of: moving)
        let now = program.now()
        for (row, needs) in zip(rows, needed) {
            var view = TaskView(gid: gids.gid(of: row.id), figures: row, directory: directory)
            view.row = errors[row.id]
            if nextJob < jobs.count, jobs[nextJob].id == row.id {
                view.job = jobs[nextJob].job
                nextJob += 1
            }
            if needs.contains(.details) { view.details = tasks.details(of: row.id) }
            if needs.contains(.path), !view.isUnnamed { view.knownPath = tasks.path(of: row.id) }
            view.connections = connections[row.id] ?? 0
            if needs.contains(.speed) { view.speed = state.withLock { $0.speeds.speed(of: row, at: now) } }
            body(view)
        }
    }

    /// The jobs of some rows by id.
    func jobs(of ids: [UInt64]) -> [UInt64: Job] {
        Dictionary(jobPairs(of: ids).map { ($0.id, $0.job) }) { first, _ in first }
    }

    /// The jobs of some rows in their order; a row that has left the list in the meantime has none.
    private func jobPairs(of ids: [UInt64]) -> [(id: UInt64, job: Job)] {
        guard !ids.isEmpty else { return [] }
        let jobs = tasks.jobs(of: ids)
        guard jobs.count == ids.count else {
            return ids.compactMap { id in tasks.jobs(of: [id]).first.map { (id, $0) } }
        }
        return zip(ids, jobs).map { ($0, $1) }
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
