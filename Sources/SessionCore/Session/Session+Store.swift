import Foundation
import SessionSupport

/// A persistent session's writes; every call returns at once, and the store's own thread does the rest.
extension Session {
    /// Why the store of a persistent session could not be opened, or the latest change not be written; nil if neither
    /// failed and for a session without an identifier.
    var storeError: SessionError? {
        switch persistence {
        case .success(let store): store.failure
        case .failure(let error): error
        case nil: nil
        }
    }

    /// Opens the store that a configuration asks for, or takes over the store of the session that is replaced.
    ///
    /// Blocks while the file is opened and read, and until a store that is closing has closed.
    static func openStore(
        _ configuration: SessionConfiguration, replacing earlier: TaskStoreWriter?, found: TaskStore.Found?
    ) -> Result<TaskStoreWriter, SessionError>? {
        guard let identifier = configuration.identifier else { return nil }
        if let earlier {
            if earlier.hold() { return .success(earlier) }
            earlier.waitUntilClosed()
        }
        do throws(SessionError) {
            let store = try TaskStoreWriter(
                identifier: identifier, folder: storeFolder(configuration),
                limits: TaskStore.Limits(
                    completed: configuration.completedTasksLimit, failed: configuration.failedTasksLimit),
                found: found)
            TransferID.skip(to: store.highestID)
            return .success(store)
        } catch {
            return .failure(error)
        }
    }

    private static func storeFolder(_ configuration: SessionConfiguration) throws(SessionError) -> String {
        if let folder = configuration.storeFolder { return folder }
        return try StoreFolder.defaultPath()
    }

    /// Lets the store close, once.
    func releaseStore() {
        let holds = state.withLock { state in
            defer { state.holdsStore = false }
            return state.holdsStore
        }
        if holds { store?.release() }
    }

    // MARK: Changes

    func record(_ transition: TaskTransition?, of task: SessionTask) {
        switch transition {
        case .resumed: store?.submit(.wanted(task.id, .running))
        case .suspended: store?.submit(.wanted(task.id, .paused))
        case nil: break
        }
    }

    func recordLabel(_ label: String?, of task: SessionTask) {
        store?.submit(.label(task.id, label))
    }

    /// Stores an upload's server URL, unless that is a secret.
    func recordUploadLocation(_ location: UploadLocation?, of task: SessionTask) {
        guard let store, let plan = task.request.uploadPlan else { return }
        store.uploads.note(location, of: task.id, task.request)
        store.submit(.upload(task.id, UploadPlan(plan.intent, location: location).storedText))
    }

    func recordProgress(_ statuses: PendingStatuses) {
        guard !statuses.isEmpty, let store else { return }
        let counts = statuses.tasks.enumerated().compactMap { index, task in
            statuses[index].map { (task.id, $0.counts) }
        }
        // A server that has the complete body may store it, so the next run must know of it before it asks again.
        let isUrgent = statuses.tasks.indices.contains { index in
            statuses[index].map { $0.answerAwaitedSince != nil && ($0.expectedToSend ?? 0) > 0 } ?? false
        }
        store.submit(Dictionary(counts) { _, newer in newer }, isUrgent: isUrgent)
    }

    /// Stores how a task ended, then announces it; the announcement waited for the store.
    ///
    /// A failed write does not stop the announcement: ``SessionStore/error`` reports it.
    func recordEnd(_ completion: TaskCompletion, of task: SessionTask, in store: TaskStoreWriter) {
        let end = StoredEnd(
            standing: .init(completion.error, url: task.request.url),
            counts: completion.status.counts, partPath: completion.resumeData?.partPath,
            filePath: completion.filePath, finishedAt: WallClock.now(),
            startedAt: WallClock.activeStart(of: completion.metrics),
            statusCode: completion.status.statusCode, failedAttempts: completion.status.failedAttempts,
            timings: StoredTransfer.Timings(completion.metrics))
        store.submit(.ended(task.id, end)) { [self] _ in enqueue(.recorded(task, completion)) }
        store.release()
    }
}

extension TaskStoreWriter: PartJournal {
    /// Commits a part's path and waits for it; a closed store refuses at once.
    func record(part: String, of id: TransferID) -> Bool {
        let isStored = Monitor<Bool?>(nil)
        submit(.part(id, path: part)) { error in isStored.change { $0 = error == nil } }
        return isStored.wait { $0 }
    }
}

extension StoredTransfer.Status {
    /// The stored form of an error; its sentence omits the secrets of the URL it may quote.
    fileprivate init(_ error: (any Error)?, url: String) {
        switch error {
        case nil:
            self = .completed
        case let error as SessionError where error.code == .cancelled:
            self = .cancelled
        case let error as SessionError:
            self = .failed(
                error.code, message: error.message.replacing(url, with: Redaction.url(url, userInfo: .removed)))
        case let error as ResponseSerializationError:
            self = .failed(Self.code(error.reason), message: "\(error)")
        case let error?:
            self = .failed(.internal, message: error.sentence)
        }
    }

    private static func code(_ reason: ResponseSerializationError.Reason) -> SessionError.Code {
        switch reason {
        case .unacceptableStatusCode: .http
        case .unacceptableContentType, .malformedBody, .unexpectedObject, .refused: .badResponse
        }
    }
}
