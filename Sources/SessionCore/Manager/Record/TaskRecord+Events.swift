import Foundation
import SessionSupport

/// A record's handling of every event but the end.
extension TaskRecord {
    func task(_ task: SessionTask, didMake transition: TaskTransition) {
        switch transition {
        case .resumed:
            publish(.resumed, of: task)
            SessionNotification.post(.sessionTaskDidResume, task, on: manager.notificationQueue)
        case .suspended:
            publish(.suspended, of: task)
            SessionNotification.post(.sessionTaskDidSuspend, task, on: manager.notificationQueue)
            manager.restorationEnded(task, of: session)
        }
    }

    /// Reports progress first, one call per direction that changed, then calls the closures that count bytes.
    func task(_ task: SessionTask, didReach status: TaskStatus) {
        let progress = task.existingProgress
        if let upload = progress.upload, upload.update(completed: status.sent, total: task.expectedToSend(status)) {
            mutable.withLock { $0.closures.uploadProgress }?(upload)
        }
        if let download = progress.download,
            download.update(completed: status.received, total: status.expectedToReceive)
        {
            mutable.withLock { $0.closures.downloadProgress }?(download)
        }
        count(task, status)
        publish(.status(status), of: task)
    }

    /// Tells the byte-counting closures how much has moved since their last call.
    func count(_ task: SessionTask, _ status: TaskStatus) {
        let (sent, written) = mutable.withLock { state in
            defer { state.lastSent = status.sent }
            let written = state.written.advance(received: status.received, resumedAt: status.resumedAt)
            return (status.sent - state.lastSent, written)
        }
        if sent > 0, let onSendBody = manager.handler(\.onSendBody) {
            onSendBody(
                task, ByteCounts(sinceLast: sent, total: status.sent, expected: task.expectedToSend(status)))
        }
        tell(written, of: task, total: status.received, expected: status.expectedToReceive)
    }

    private func tell(_ written: Int64, of task: SessionTask, total: Int64, expected: Int64?) {
        guard written > 0, task.kind == .download, let onWriteData = manager.handler(\.onWriteData) else { return }
        onWriteData(task, ByteCounts(sinceLast: written, total: total, expected: expected))
    }

    /// Decides about a response whose engine waits for the disposition.
    func answer(_ task: SessionTask, _ head: ResponseHead, question: Int) {
        var disposition =
            task.handler?.task(task, dispositionFor: head) ?? manager.handler(\.onResponse)?(task, head) ?? .allow
        publish(.response(head), of: task)
        let wasData = task.kind == .data
        // A task that became a download is asked again when the response it was to store is gone.
        let mayBecomeDownload = wasData || task.kind == .download && route.isBody
        if disposition == .becomeDownload, !mayBecomeDownload { disposition = .allow }
        let becomesDownload = disposition == .becomeDownload && wasData
        if becomesDownload { task.mutable.withLock { $0.kind = .download } }
        session.submit(.disposition(task.id, disposition, question: question))
        if becomesDownload { manager.handler(\.onBecomeDownload)?(task) }
    }

    /// Decides about a redirect; one that needs consent is refused unless a closure returns a request.
    func redirect(_ task: SessionTask, _ head: ResponseHead, _ request: TransferRequest, needsConsent: Bool) {
        let answer: TransferRequest?
        switch task.handler?.task(task, willFollow: request, from: head) ?? .useSession {
        case .follow(let chosen): answer = chosen
        case .refuse: answer = nil
        case .useSession:
            if let closure = manager.handler(\.onRedirect) {
                answer = closure(task, head, request)
            } else if needsConsent {
                return session.submit(.refuseRedirect(task.id))
            } else {
                answer = request
            }
        }
        if let answer { task.changeRequest(to: answer) }
        session.submit(.redirect(task.id, answer))
    }

    /// Delivers a chunk whose bytes are already counted, and lets the engine read on: at once, or when the chunk's
    /// reader is done.
    func deliver(_ bytes: [UInt8], of task: SessionTask) {
        let closures = mutable.withLock { ($0.closures.stream, $0.closures.pacedStream) }
        closures.0?(bytes)
        publish(.data(bytes), of: task)
        manager.handler(\.onData)?(task, Data(bytes))
        if let paced = closures.1 {
            let (session, id) = (session, task.id)
            return paced(bytes) { session.submit(.consumed(id, bytes: bytes.count)) }
        }
        session.submit(.consumed(task.id, bytes: bytes.count))
    }

    /// Reports the bytes this task wrote before the offset first, so that later counts add up from there.
    func resumed(_ task: SessionTask, at offset: Int64, expectedTotal: Int64?) {
        let written = mutable.withLock { $0.written.resume(at: offset) }
        tell(written, of: task, total: offset, expected: expectedTotal)
        if let download = task.existingProgress.download {
            _ = download.update(completed: offset, total: expectedTotal)
        }
        publish(.resumedAtOffset(offset, expectedTotal: expectedTotal), of: task)
        manager.handler(\.onResumeAtOffset)?(task, ResumedOffset(offset: offset, expectedTotal: expectedTotal))
    }
}

/// The destination of a body in a store's terms.
extension TaskRecord.Route {
    /// The stored route: a closure that received a streamed body does not exist in a later run.
    var storedDestination: StoredTransfer.Destination {
        switch self {
        case .memory, .stream: .memory
        case .target(let target): .target(target)
        case .staged: .staged
        }
    }

    /// The route of a restored task.
    ///
    /// It may continue its own partial file, whatever it is to do about partial files of other tasks.
    init(_ stored: StoredTransfer) {
        switch stored.destination {
        case .memory: self = .memory
        case .staged: self = .staged
        case .target(var target):
            if stored.wasStarted { target.adoptsPart = true }
            self = .target(target)
        }
    }
}

extension StoredTransfer {
    /// The resume data of a staged download; a download with a target finds its partial file by itself.
    func resumeData(for request: TransferRequest) -> ResumeData? {
        guard case .staged = destination, let partPath else { return nil }
        return ResumeData(url: request.url, headers: request.headers, partPath: partPath, target: nil)
    }
}

extension SessionTask {
    /// Takes over the state of an earlier run before the task is visible to callers.
    func restore(_ stored: StoredTransfer) {
        mutable.withLock { ($0.userDescription, $0.earlierPart) = (stored.label, stored.partPath) }
        var status = TaskStatus()
        status.phase = stored.wanted == .running ? .queued : .paused
        status.counts = stored.counts
        status.sent = 0
        // The kept bytes are no progress of this run.
        status.resumedAt = status.received
        // The partial file has not been checked yet.
        if stored.kind == .download, status.received > 0 { status.resumability = .unknown }
        control.publish(status)
    }
}
