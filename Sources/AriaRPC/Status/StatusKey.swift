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
    /// Whether the task has such a value.
    private let isTold: @Sendable (TaskView) -> Bool
    private let write: @Sendable (TaskView, inout JSONWriter) -> Void
    /// The name as a member begins with it.
    private let label: [UInt8]

    private init(
        _ name: String, isOwn: Bool = false, needs: @escaping @Sendable (RowFigures) -> TaskNeeds = { _ in [] },
        where isTold: @escaping @Sendable (TaskView) -> Bool = { _ in true },
        write: @escaping @Sendable (TaskView, inout JSONWriter) -> Void
    ) {
        (self.name, self.isOwn, self.needs, self.isTold, self.write) = (name, isOwn, needs, isTold, write)
        label = JSONWriter.bytes(of: .string(name)) + [UInt8(ascii: ":")]
    }

    /// Writes the values of a task as an object.
    static func write(_ task: TaskView, _ keys: [StatusKey], to writer: inout JSONWriter) {
        writer.append("{")
        for key in keys where key.isTold(task) {
            writer.separate()
            writer.append(raw: key.label)
            key.write(task, &writer)
        }
        writer.append("}")
    }

    static let all: [StatusKey] = [
        StatusKey("bitfield", needs: segments, where: { $0.total > 0 }) { $1.write($0.pieces.bitfield($0.ranges)) },
        StatusKey("completedLength") { $1.writeDigits($0.figures.moved) },
        StatusKey("connections", needs: { $0.phase == .active ? .connections : [] }) {
            $1.writeDigits($0.connections)
        },
        StatusKey("dir", needs: { _ in .job }) { $1.write($0.folder) },
        StatusKey("downloadSpeed", needs: speed) { $1.writeDigits($0.isUpload ? 0 : $0.speed) },
        StatusKey("errorCode", where: { $0.phase.isStopped }) { $1.writeDigits(ErrorNumber.of($0.figures)) },
        StatusKey("errorMessage", needs: { $0.phase == .error ? .row : [] }, where: { $0.phase.isStopped }) {
            $1.write($0.row?.error?.string ?? "")
        },
        StatusKey("files", needs: { segments($0).union([.job, .path]) }) { task, writer in
            writer.write([task], in: "[]") { FileStatus.write($1, to: &$0) }
        },
        StatusKey("gid") { $1.write($0.gid.description) },
        StatusKey("netdash.http", isOwn: true, where: { $0.figures.statusCode != nil }) {
            $1.writeDigits($0.figures.statusCode ?? 0)
        },
        StatusKey("netdash.id", isOwn: true) { $1.writeDigits($0.figures.id) },
        StatusKey("netdash.kind", isOwn: true) { $1.write($0.figures.kind.rawValue) },
        StatusKey("netdash.state", isOwn: true) { $1.write($0.figures.state.rawValue) },
        StatusKey("numPieces") { $1.writeDigits($0.pieces.count) },
        StatusKey("pieceLength") { $1.writeDigits($0.pieces.length) },
        StatusKey("status") { $1.write($0.phase.rawValue) },
        StatusKey("totalLength") { $1.writeDigits($0.total) },
        StatusKey("uploadLength") { $1.writeDigits($0.isUpload ? $0.figures.sent : 0) },
        StatusKey("uploadSpeed", needs: speed) { $1.writeDigits($0.isUpload ? $0.speed : 0) },
    ]

    /// The keys of a request; without names, the keys that aria2 has.
    static func named(_ names: Set<String>) -> [StatusKey] {
        names.isEmpty ? all.filter { !$0.isOwn } : all.filter { names.contains($0.name) }
    }

    /// What some keys need to know of a task.
    static func needs(of keys: [StatusKey]) -> (RowFigures) -> TaskNeeds {
        { row in keys.reduce(into: []) { $0.formUnion($1.needs(row)) } }
    }

    /// Segments matter only while a part of the file is there.
    private static func segments(_ row: RowFigures) -> TaskNeeds {
        let isPart = !row.phase.isStopped && row.received > 0 && row.received < row.expected ?? 0
        return isPart || row.phase == .active && row.kind == .download ? .details : []
    }

    private static func speed(_ row: RowFigures) -> TaskNeeds { row.phase == .active ? .speed : [] }
}
