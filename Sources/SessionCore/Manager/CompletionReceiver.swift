import Foundation

/// A task's completion handler, of whichever type its factory takes.
enum CompletionReceiver: Sendable {
    case object(SessionManager.CompletionHandler)
    case file(SessionManager.DownloadCompletionHandler)

    init?(_ handler: SessionManager.CompletionHandler?) {
        guard let handler else { return nil }
        self = .object(handler)
    }

    init?(_ handler: SessionManager.DownloadCompletionHandler?) {
        guard let handler else { return nil }
        self = .file(handler)
    }

    /// Called once, on the completion queue.
    ///
    /// A file that could not be moved, or failed its check, is not handed over.
    func receive(_ completion: TaskCompletion) {
        switch self {
        case .object(let handler): handler(completion.head, completion.object, completion.error)
        case .file(let handler): handler(completion.head, completion.object as? URL, completion.error)
        }
    }
}
