import SessionCore
import SessionSupport

/// The other task that a row is to become, and what is changed by that.
struct RowChange: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case settings, url
        /// What becomes of an existing file; the job stays.
        case answer
        /// The path of a download's file.
        case path(String)
    }

    /// A job that starts paused waits for its user.
    var job: Job
    var subject: Subject
    /// Whether the row was paused before it was stopped for this.
    var wasPaused = false
    /// Whether the row was given another file's URL, to which its partial file does not belong.
    var leavesPart = false

    /// The line in the row's own log.
    var sentence: String {
        switch subject {
        case .settings: job.startsPaused ? ServiceLines.editedPaused : ServiceLines.edited
        case .answer: ServiceLines.answered
        case .url: ServiceLines.newURL(Redaction.url(job.url))
        case .path(let path): ServiceLines.newPath(path)
        }
    }

    /// This change after an earlier one that has not been made yet.
    fileprivate func following(_ earlier: RowChange) -> RowChange {
        var change = self
        change.wasPaused = earlier.wasPaused
        if subject != .settings { change.leavesPart = earlier.leavesPart }
        // A part that goes on from another URL goes on from there with other settings too.
        if subject == .settings, earlier.subject == .url, job.kind == .download, job.url == earlier.job.url {
            (change.subject, change.leavesPart) = (.url, earlier.leavesPart)
        }
        return change
    }
}

/// What becomes of a row whose run is being stopped, by what was asked for in the meantime.
///
/// A value that knows neither rows nor tasks. The latest request counts, whichever client it came from.
enum Succession: Sendable, Equatable {
    /// It resumes as it is, or waits paused.
    case resumes(isPaused: Bool)
    case becomes(RowChange)

    enum Request: Sendable, Equatable {
        case resume, pause, cancel
        case change(RowChange)
    }

    /// What follows the end of a run.
    enum Outcome: Sendable, Equatable {
        /// The row stays as it is.
        case ends
        case resumes(isPaused: Bool)
        case becomes(RowChange)
        /// It was completed before it could be stopped.
        case isTooLate(RowChange)
    }

    var change: RowChange? { if case .becomes(let change) = self { change } else { nil } }

    /// What becomes of a row after a further request; nil where it stays ended.
    ///
    /// - Parameter current: what would have become of it; nil for a row that was only cancelled.
    static func after(_ request: Request, _ current: Succession?) -> Succession? {
        switch (request, current) {
        case (.cancel, _): return nil
        case (.resume, .becomes(var change)?):
            change.job.startsPaused = false
            return .becomes(change)
        case (.resume, _): return .resumes(isPaused: false)
        case (.pause, .becomes(var change)?):
            change.job.startsPaused = true
            return .becomes(change)
        case (.pause, .resumes?): return .resumes(isPaused: true)
        case (.pause, nil): return nil
        case (.change(let change), .becomes(let earlier)?): return .becomes(change.following(earlier))
        case (.change(let change), _): return .becomes(change)
        }
    }

    /// What follows the end of a run; nil for one that goes on by itself, with another request.
    static func outcome(of current: Succession?, endedWith result: TransferResult?) -> Outcome {
        switch (current, result) {
        case (nil, _), (.resumes?, .completed?), (.resumes?, nil), (_, .unfinished?): .ends
        case (.resumes(let isPaused)?, .failed?), (.resumes(let isPaused)?, .cancelled?):
            .resumes(isPaused: isPaused)
        case (.becomes(let change)?, .completed?): .isTooLate(change)
        case (.becomes(let change)?, .failed?), (.becomes(let change)?, .cancelled?), (.becomes(let change)?, nil):
            .becomes(change)
        }
    }
}
