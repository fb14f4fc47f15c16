import TransferValues

/// One key of a task's status, with everything that the interface knows of it.
///
/// ``all`` is in the order of an answer, which is alphabetical, as in aria2.
struct StatusKey: Sendable {
    let name: String
    /// Whether it is told only where it was asked for: aria2 has no such key.
    let isOwn: Bool
    /// What it needs to know of a task with these numbers.
    let needs: @Sendable (RowFigures) -> TaskNeeds
    /// Nil where the task has no such value.
    let value: @Sendable (TaskView) -> JSONValue?

    private init(
        _ name: String, isOwn: Bool = false, needs: @escaping @Sendable (RowFigures) -> TaskNeeds = { _ in [] },
        value: @escaping @Sendable (TaskView) -> JSONValue?
    ) {
        (self.name, self.isOwn, self.needs, self.value) = (name, isOwn, needs, value)
    }

    static let all: [StatusKey] = [
        StatusKey("bitfield", needs: segments) { $0.total > 0 ? .string($0.pieces.bitfield($0.ranges)) : nil },
        StatusKey("completedLength") { .digits($0.figures.moved) },
        StatusKey("connections", needs: { $0.phase == .active ? .connections : [] }) { .digits($0.connections) },
        StatusKey("dir", needs: { _ in .job }) { .string($0.folder) },
        StatusKey("downloadSpeed", needs: speed) { .digits($0.isUpload ? 0 : $0.speed) },
        StatusKey("errorCode") { $0.phase.isStopped ? .digits(ErrorNumber.of($0.figures)) : nil },
        StatusKey("errorMessage", needs: { $0.phase == .error ? .row : [] }) { task in
            task.phase.isStopped ? .string(task.row?.error?.string ?? "") : nil
        },
        StatusKey("files", needs: { segments($0).union([.job, .path]) }) { .array([FileStatus.file(of: $0)]) },
        StatusKey("gid") { .string($0.gid.description) },
        StatusKey("netdash.http", isOwn: true) { $0.figures.statusCode.map { .digits($0) } },
        StatusKey("netdash.id", isOwn: true) { .digits($0.figures.id) },
        StatusKey("netdash.kind", isOwn: true) { .string($0.figures.kind.rawValue) },
        StatusKey("netdash.state", isOwn: true) { .string($0.figures.state.rawValue) },
        StatusKey("numPieces") { .digits($0.pieces.count) },
        StatusKey("pieceLength") { .digits($0.pieces.length) },
        StatusKey("status") { .string($0.phase.rawValue) },
        StatusKey("totalLength") { .digits($0.total) },
        StatusKey("uploadLength") { .digits($0.isUpload ? $0.figures.sent : 0) },
        StatusKey("uploadSpeed", needs: speed) { .digits($0.isUpload ? $0.speed : 0) },
    ]

    /// The keys of a request; without names, the keys that aria2 has.
    static func named(_ names: Set<String>) -> [StatusKey] {
        names.isEmpty ? all.filter { !$0.isOwn } : all.filter { names.contains($0.name) }
    }

    /// Segments matter only while a part of the file is there.
    private static func segments(_ row: RowFigures) -> TaskNeeds {
        let isPart = !row.phase.isStopped && row.received > 0 && row.received < row.expected ?? 0
        return isPart || row.phase == .active && row.kind == .download ? .details : []
    }

    private static func speed(_ row: RowFigures) -> TaskNeeds { row.phase == .active ? .speed : [] }
}
