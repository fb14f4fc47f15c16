import TransferValues

/// The facts about a task that the keys of an answer need.
struct TaskNeeds: OptionSet {
    let rawValue: Int

    static let row = TaskNeeds(rawValue: 1)
    static let job = TaskNeeds(rawValue: 2)
    static let details = TaskNeeds(rawValue: 4)
    static let path = TaskNeeds(rawValue: 8)
    static let connections = TaskNeeds(rawValue: 16)
    static let speed = TaskNeeds(rawValue: 32)
}

/// A task as aria2 would show it; facts that no key needs are missing.
struct TaskView {
    let gid: GID
    let figures: RowFigures
    /// The folder of downloads without their own.
    let directory: String
    var row: RowSnapshot?
    var job: Job?
    var details: RowDetails?
    var knownPath: String?
    var connections = 0
    var speed: Int64 = 0

    init(gid: GID, figures: RowFigures, directory: String) {
        (self.gid, self.figures, self.directory) = (gid, figures, directory)
    }

    var phase: TaskPhase { figures.phase }
    var isUpload: Bool { figures.kind == .upload }
    var total: Int64 { max(figures.expected ?? (phase == .complete ? figures.moved : 0), 0) }
    var pieces: Pieces { Pieces(total: total) }

    /// The bytes that are there: parts of segments, or the beginning.
    var ranges: [Range<Int64>] {
        if phase == .complete { return [0..<total] }
        let segments = details?.segments ?? []
        guard segments.isEmpty else { return segments.map { $0.start..<max($0.start, $0.start + $0.received) } }
        return [0..<max(min(figures.moved, total), 0)]
    }

    var folder: String { job?.directory ?? directory }

    /// Whether the server may still name the file: before the first response its URL is only a guess at the name.
    var isUnnamed: Bool {
        phase.isWaiting && figures.startedAt == nil && figures.moved == 0 && figures.kind == .download
            && job?.output.name == nil
    }

    /// The path of the file; empty while it has none, as in aria2.
    var path: String {
        if isUnnamed { return "" }
        if let knownPath { return knownPath }
        guard let name = job?.output.name, !name.hasSuffix("/") else { return "" }
        return name.hasPrefix("/") ? name : folder + "/" + name
    }

    /// Every URL of the file, the first one first.
    var urls: [String] { job.map { [$0.url] + $0.mirrors } ?? [] }

    /// The URLs with connections.
    var usedURLs: Set<String> {
        if let sources = details?.sources, phase == .active, !sources.isEmpty {
            return Set(sources.filter { $0.connections > 0 }.map(\.url.string))
        }
        let isUsed = phase == .active || phase.isStopped || figures.moved > 0
        return isUsed ? Set(urls.prefix(1)) : []
    }
}

extension Job {
    /// The further URLs of a download.
    var mirrors: [String] { options.filter { $0.option == .mirror }.map(\.text) }
}
