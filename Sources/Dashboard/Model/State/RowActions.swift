/// The menu of actions for the selected rows, with the highlighted line.
package struct ActionMenu: Sendable, Equatable {
    package var line = 0
}

/// What the user has asked for a row that is being cancelled.
enum EndPlan: Sendable, Equatable {
    /// It was cancelled, and can be resumed before it has ended.
    case ends
    /// It leaves the table once it has ended.
    case leaves
}

/// The files on disk that belong to rows.
package struct Leftovers: Sendable, Equatable {
    /// Files of completed downloads.
    package var files = 0
    /// Partial files of other downloads.
    package var parts = 0
    /// Rows that have not ended.
    package var live = 0

    package init(of rows: [RowFigures]) {
        for row in rows {
            if !row.state.isFinal { live += 1 }
            guard row.kind == .download else { continue }
            if row.state == .done {
                files += 1
            } else if row.moved > 0 {
                parts += 1
            }
        }
    }

    /// Whether removing the rows loses only their lines.
    var isNothing: Bool { files == 0 && parts == 0 && live == 0 }
}

extension RowFigures {
    /// Whether it could start, or start sooner.
    var canStartNow: Bool {
        switch state {
        case .queued, .retrying, .pausing, .paused, .failed, .cancelled: true
        case .running, .verifying, .saving, .done: false
        }
    }

    var isUnfinishedDownload: Bool {
        switch state {
        case .queued, .retrying, .running, .pausing, .paused, .failed, .cancelled: kind == .download
        case .verifying, .saving, .done: false
        }
    }

    /// Whether its file can be moved now without losing bytes.
    var canMoveFile: Bool { hasMovableFile && (state.isFinal || moved == 0 || canResume) }
    /// Whether it has a file that can be moved.
    var hasMovableFile: Bool { isUnfinishedDownload || kind == .download && state == .done }
}
