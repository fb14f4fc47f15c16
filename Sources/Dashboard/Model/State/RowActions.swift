/// The menu of what can be done with the selected rows: which line is highlighted.
package struct ActionMenu: Sendable, Equatable {
    package var line = 0
}

/// What is to become of a row as soon as it has ended, because it cannot while it is under way.
enum EndPlan: Sendable, Equatable {
    /// It was cancelled, and nothing else was asked for.
    case ends
    /// It was cancelled and asked for again before it had ended: it runs, or is paused as before.
    case goesOn(from: StoppedFrom)
    case leaves
    /// It goes on from another URL.
    case changesURL(String, from: StoppedFrom)
    /// Its file gets another place, and it goes on there as it did.
    case moves(String, from: StoppedFrom)
    /// It becomes another task in its place.
    case becomes(Job)

    /// Whether it goes on as it is.
    var isGoingOn: Bool { if case .goesOn = self { true } else { false } }
}

/// What lies on the disk for rows.
package struct Leftovers: Sendable, Equatable {
    /// Files of downloads that are done.
    package var files = 0
    /// Parts of downloads that are not.
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

    /// Whether nothing is lost by removing the rows but their lines.
    var isNothing: Bool { files == 0 && parts == 0 && live == 0 }
}

extension RowFigures {
    /// Whether it could begin to run, or run sooner than it would.
    var canStartNow: Bool {
        switch state {
        case .queued, .retrying, .pausing, .paused, .failed, .cancelled: true
        case .running, .verifying, .saving, .done: false
        }
    }

    /// Whether it is a download that has not come to its end.
    var isUnfinishedDownload: Bool {
        switch state {
        case .queued, .retrying, .running, .pausing, .paused, .failed, .cancelled: kind == .download
        case .verifying, .saving, .done: false
        }
    }

    /// Whether its file can get another place now.
    var hasMovableFile: Bool { isUnfinishedDownload || kind == .download && state == .done }
}
