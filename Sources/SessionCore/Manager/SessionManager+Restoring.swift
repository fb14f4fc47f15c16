import Foundation
import SessionSupport

/// Persistent sessions: what is stored for a task, and how a later run recreates it.
extension SessionManager {
    /// The number of checks for an upload's body file after the first.
    private static let recreationAttempts = 3

    // MARK: Keeping

    /// Stores a new task.
    ///
    /// A body from a stream is of no use to a later run, so such a task is not stored.
    func keep(
        _ task: SessionTask, in session: Session, route: TaskRecord.Route, position: Int64?
    ) throws(SessionError) {
        guard let store = try session.persistence?.get() else { return }
        if case .descriptor = task.request.body { return }
        var stored = try StoredTransfer(
            storing: task.request, id: task.id, kind: task.kind, destination: route.storedDestination,
            createdAt: WallClock.now())
        stored.partPath = task.resumeData?.partPath
        stored.position = position ?? stored.position
        store.submit(.add(stored))
    }

    /// Checks a request, several times if an upload's body file may be about to appear.
    func check(_ request: TransferRequest, of kind: TransferKind) throws(SessionError) {
        try Self.attempt(Self.attemptLimit(for: kind, configuration)) { () throws(SessionError) in
            try RequestValidation.check(request)
        }
    }

    /// The number of checks for a body: more than one only for an upload of a persistent session that asks for it.
    static func attemptLimit(for kind: TransferKind, _ configuration: SessionConfiguration) -> Int {
        guard kind == .upload, configuration.identifier != nil, configuration.attemptsToRecreateUploadTasks else {
            return 1
        }
        return 1 + recreationAttempts
    }

    /// Runs a check until it passes or the limit is reached; only an unreadable body is checked again.
    static func attempt(_ limit: Int, _ check: () throws(SessionError) -> Void) throws(SessionError) {
        for _ in 1..<max(limit, 1) {
            do throws(SessionError) {
                return try check()
            } catch {
                guard error.code == .bodyUnreadable else { throw error }
            }
        }
        try check()
    }

    // MARK: Restoring

    /// Recreates the tasks of the earlier run, without closures of their own, and resumes the ones that ran.
    ///
    /// Called by the initializer; every task is registered before the first one starts.
    func restoreTasks() {
        let session = self.session
        guard let store = session.store else { return }
        let restored = store.takeUnfinished().compactMap { stored in
            restore(stored, in: session, store).map { (task: $0, stored: stored) }
        }
        let running = restored.filter { $0.stored.wanted == .running && $0.stored.canResumeUnattended }.map(\.task)
        state.withLock { state in
            state.restoration.isFinished = false
            state.restoration.waiting = running
            state.restoration.underway = Set(running.map(\.id))
            for (task, _) in restored { state.registry[task.id] = task }
        }
        for (task, stored) in restored { failIfUnusable(task, stored, in: session) }
        // This names that session: by then it may be invalid, and reading `session` would make another.
        if running.isEmpty {
            operationQueue.deliver { [weak self, weak session] in
                if let session { self?.state.restorationEnded(nil, of: session) }
            }
        }
        if configuration.resumesRestoredTasks { resumeRestoredTasks() }
    }

    /// Resumes, once, the tasks that ran in the earlier run.
    func resumeRestoredTasks() {
        let waiting = state.withLock { state in
            defer { state.restoration.waiting = [] }
            return state.restoration.waiting
        }
        for task in waiting { task.resume() }
    }

    /// Recreates the task of a stored transfer; nil if its file was moved before the end could be stored, if only the
    /// user can start it again, or if it was removed.
    private func restore(_ stored: StoredTransfer, in session: Session, _ store: TaskStoreWriter) -> SessionTask? {
        guard !stored.wanted.isRemoval else { return nil }
        var stored = stored
        if case .finishing(let file) = stored.standing {
            if let found = FinishedFileSearch.find(file) {
                store.submit(.ended(stored.id, StoredEnd(found, of: stored)))
                return nil
            }
            stored.standing = .unfinished
            store.submit(.add(stored))
        }
        guard !stored.needsCredentials, configuration.restoresUnstartedTasks || stored.hasBegun else { return nil }
        if stored.wanted == .running, !stored.canResumeUnattended {
            stored.wanted = .paused
            store.submit(.wanted(stored.id, .paused))
        }
        return makeTask(of: stored, request: stored.request, in: session)
    }

    func makeTask(
        of stored: StoredTransfer, request: TransferRequest, in session: Session,
        closures: TaskRecord.Closures = TaskRecord.Closures()
    ) -> SessionTask {
        let record = TaskRecord(
            manager: state, session: session, route: TaskRecord.Route(stored), serializer: responseSerializer,
            closures: closures)
        let task = SessionTask(
            id: stored.id, kind: stored.kind, request: request, resumeData: stored.resumeData(for: request),
            session: session, delegate: record)
        task.restore(stored)
        return task
    }

    /// Ends a restored task that cannot be sent any more, such as an upload whose file is gone.
    private func failIfUnusable(_ task: SessionTask, _ stored: StoredTransfer, in session: Session) {
        do throws(SessionError) {
            try check(task.request, of: task.kind)
        } catch {
            state.withLock { state in
                state.restoration.waiting.removeAll { $0 === task }
            }
            session.endUnstarted(task, error)
        }
    }
}

extension StoredTransfer {
    /// Whether it has progress that a new task would not know of.
    fileprivate var hasBegun: Bool { wasStarted || counts != BodyCounts() || partPath != nil || failedAttempts > 0 }
}

extension Locked<SessionManager.State> {
    /// Removes a restored task that has ended or was suspended from the rest of the earlier run (nil if there was no
    /// task), and calls ``SessionHandlers/onDidFinishEvents`` after the last one.
    func restorationEnded(_ task: SessionTask?, of session: Session) {
        guard session.configuration.identifier != nil else { return }
        let isLast = withLock { $0.restoration.remove(task?.id ?? TransferID(rawValue: 0)) }
        if isLast { handler(\.onDidFinishEvents)?(session) }
    }
}
