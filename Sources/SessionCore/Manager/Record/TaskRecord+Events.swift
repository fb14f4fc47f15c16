import Foundation
import SessionSupport

/// What a record does about everything but the end.
extension TaskRecord {
    func announce(_ transition: TaskTransition, of task: SessionTask) {
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

    /// Progress first, one call per direction that changed; then the closures that count bytes.
    func update(_ task: SessionTask, _ status: TaskStatus) {
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

    /// Tells the byte-counting closures how much was moved since they were told last.
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

    /// Says what becomes of a response whose engine waits for that.
    func answer(_ task: SessionTask, _ head: ResponseHead, question: Int) {
        var disposition =
            task.handler?.task(task, dispositionFor: head) ?? manager.handler(\.onResponse)?(task, head) ?? .allow
        publish(.response(head), of: task)
        let wasData = task.kind == .data
        // A task that became one is asked again when the response it was to be a download of is gone.
        let mayBecomeDownload = wasData || task.kind == .download && route.isBody
        if disposition == .becomeDownload, !mayBecomeDownload { disposition = .allow }
        let becomesDownload = disposition == .becomeDownload && wasData
        if becomesDownload { task.mutable.withLock { $0.kind = .download } }
        session.submit(.disposition(task.id, disposition, question: question))
        if becomesDownload { manager.handler(\.onBecomeDownload)?(task) }
    }

    /// Says where a redirect leads; one that needs consent is refused unless a closure returns a request.
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

    /// Hands a chunk over, whose bytes are counted already, and tells the engine that it may read on: now, or when its
    /// reader has.
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

    /// What this task wrote before the offset is told first, so that the counts told after it add up from there.
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

/// Where a body goes, as a store knows it.
extension TaskRecord.Route {
    /// The route as it is stored: a closure that a body was streamed to is not there in a later run.
    var storedDestination: StoredTransfer.Destination {
        switch self {
        case .memory, .stream: .memory
        case .target(let target): .target(target)
        case .staged: .staged
        }
    }

    /// The route of a restored task.
    ///
    /// It may go on with the part it has begun, whatever it is to do about those of others.
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
    /// What a staged download needs to go on; one with a target finds its part by itself.
    func resumeData(for request: TransferRequest) -> ResumeData? {
        guard case .staged = destination, let partPath else { return nil }
        return ResumeData(url: request.url, headers: request.headers, partPath: partPath, target: nil)
    }
}

extension SessionTask {
    /// Takes over what is known of an earlier run, before anybody sees the task.
    func restore(_ stored: StoredTransfer) {
        mutable.withLock { $0.userDescription = stored.label }
        var status = TaskStatus()
        status.phase = stored.wanted == .running ? .queued : .paused
        status.counts = stored.counts
        status.sent = 0
        // Nobody has looked at its part yet.
        if stored.kind == .download, status.received > 0 { status.resumability = .unknown }
        control.publish(status)
    }
}
