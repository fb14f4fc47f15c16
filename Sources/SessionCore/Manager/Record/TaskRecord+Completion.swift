import Foundation
import SessionSupport

/// The end of a task: collect, move, serialize, announce.
extension TaskRecord {
    /// Serializes for all sessions, several tasks at once.
    private static let processingQueue = DispatchQueue(label: "SessionCore.processing", attributes: .concurrent)

    /// Handles a transfer's end on the delegate queue; the task has completed, so the registry no longer contains it.
    func complete(_ task: SessionTask, _ outcome: TransferOutcome, _ body: Data) {
        session.store?.hold()
        var completion = TaskCompletion.Draft(outcome, body: body, serializer: task.responseSerializer ?? serializer)
        completion.check = mutable.withLock { $0.closures.check }
        chooseError(of: task, &completion)
        completeProgress(of: task, completion)
        if let path = outcome.result.filePath { place(path, of: task, &completion) }
        manager.handler(\.onMetrics)?(task, completion.outcome.metrics)
        serialize(task, completion)
    }

    /// Chooses the task's final error.
    ///
    /// A failure found here wins over the outcome it led to, if any: its question may have been gone. For a download, a
    /// status other than 2xx is a failure.
    private func chooseError(of task: SessionTask, _ completion: inout TaskCompletion.Draft) {
        if completion.error != nil, let failure = mutable.withLock({ $0.failure }) { completion.error = failure }
        guard let head = completion.outcome.head else { return }
        let isGood = (200...299).contains(head.statusCode) || Self.isCompleteAnyway(completion.outcome)
        guard !isGood || completion.error != nil, task.kind == .download else { return }
        if completion.error == nil {
            completion.error = SessionError(
                .http, ResponseErrors.unexpectedStatus(head.statusCode), failingURL: head.url,
                statusCode: head.statusCode)
        }
        if var error = completion.error as? SessionError, error.code == .http, error.responseBody == nil {
            error.responseBody = [UInt8](completion.data)
            completion.error = error
        }
    }

    /// Whether the file is complete although the status is not 2xx.
    ///
    /// A server asked for the bytes after the last one answers 416, which proves there are none; one asked whether a
    /// file has changed answers 304.
    private static func isCompleteAnyway(_ outcome: TransferOutcome) -> Bool {
        guard let status = outcome.head?.statusCode, !(200...299).contains(status) else { return false }
        return outcome.result.wasSkipped || status == 416 && outcome.result.filePath != nil
    }

    private func completeProgress(of task: SessionTask, _ completion: TaskCompletion.Draft) {
        let progress = task.existingProgress
        progress.upload?.taskHasEnded()
        progress.download?.taskHasEnded()
        guard completion.error == nil else { return self.task(task, didReach: completion.outcome.status) }
        count(task, completion.outcome.status)
        let status = completion.outcome.status
        if let upload = progress.upload,
            upload.end(
                sent: status.sent, of: task.request.body == .none ? 0 : task.expectedToSend(status),
                statusCode: completion.outcome.head?.statusCode)
        {
            mutable.withLock { $0.closures.uploadProgress }?(upload)
        }
        if let download = progress.download {
            download.complete(at: completion.outcome.status.received)
            mutable.withLock { $0.closures.downloadProgress }?(download)
        }
    }

    /// Puts a finished download at its destination: a target's file is there already, a staged file is moved.
    ///
    /// A file that failed its check, or that the closure refused, is removed; without a closure it stays and belongs to
    /// the caller.
    private func place(_ path: String, of task: SessionTask, _ completion: inout TaskCompletion.Draft) {
        if case .target = route {
            completion.filePath = path
            return
        }
        let file = URL(fileURLWithPath: path, isDirectory: false)
        guard completion.error == nil else { return FileRemover.remove(path) }
        let staged = StagedFile(path)
        var destination = manager.handler(\.onDownloadFinished)?(task, file)
        if destination == nil, let closure = mutable.withLock({ $0.closures.destination }) {
            do {
                destination = try closure(file, completion.outcome.head)
            } catch {
                completion.error = error
            }
            guard destination != nil else { return FileRemover.remove(path) }
        }
        guard let destination else {
            completion.filePath = staged.isPresent ? path : nil
            return
        }
        switch destination.isFileURL ? staged.place(at: destination.path) : .present {
        case .present: move(path, to: destination, of: task, &completion)
        case .moved:
            completion.filePath = destination.path
            announceMove(to: destination.path, of: task)
        case .gone:
            let error = SessionError(.notFound, StorageErrors.temporaryGone(path, destination.path))
            completion.error = error
            announceFailedMove(error, of: task)
        }
    }

    private func announceMove(to path: String, of task: SessionTask) {
        publish(.moved(path: path), of: task)
        SessionNotification.postNow(.sessionDownloadTaskDidMoveFile, task)
    }

    private func announceFailedMove(_ error: SessionError, of task: SessionTask) {
        publish(.moveFailed(error), of: task)
        SessionNotification.postNow(
            .sessionDownloadTaskDidFailToMoveFile, task, SessionNotification.userInfo(error))
    }

    /// Moves a staged file and announces success or failure.
    private func move(
        _ path: String, to destination: URL, of task: SessionTask, _ completion: inout TaskCompletion.Draft
    ) {
        completion.filePath = destination.isFileURL ? destination.path : nil
        do throws(SessionError) {
            guard destination.isFileURL else {
                throw SessionError(
                    .invalidRequest, RequestErrors.destination(Redaction.url(destination.absoluteString)))
            }
            let store = session.store
            try FileMover.move(from: path, to: destination.path) { file in store?.record([task.id: file]) }
            announceMove(to: destination.path, of: task)
        } catch {
            let error = Self.naming(path, in: error)
            completion.error = error
            announceFailedMove(error, of: task)
        }
    }

    /// The move's error, with the path where the file still is.
    private static func naming(_ path: String, in error: SessionError) -> SessionError {
        var error = error
        error.message = StorageErrors.unmoved(error.message, kept: path)
        error.partPath = path
        return error
    }

    /// Serializes off the delegate queue and returns to it; work that takes no time stays on it.
    ///
    /// A download's serializer gets no body, so only the head is checked, unless that head is not the file's because
    /// the file was already complete.
    private func serialize(_ task: SessionTask, _ completion: consuming TaskCompletion.Draft) {
        if completion.error == nil, task.kind == .download, Self.isCompleteAnyway(completion.outcome) {
            completion.object = .file
        } else if completion.error == nil {
            let isFile = completion.filePath != nil || task.kind == .download
            let isQuick = completion.serializer.isQuick(byteCount: isFile ? 0 : completion.data.count)
            guard isQuick, completion.check == nil else {
                return serializeElsewhere(task, completion, isFile: isFile)
            }
            serialize(&completion, isFile: isFile)
        }
        recordEnd(TaskCompletion(consume completion), of: task)
    }

    private func serializeElsewhere(
        _ task: SessionTask, _ unserialized: TaskCompletion.Draft, isFile: Bool
    ) {
        Self.processingQueue.async {
            var completion = unserialized
            self.serialize(&completion, isFile: isFile)
            self.session.enqueue(.serialized(task, TaskCompletion(completion)))
        }
    }

    private func serialize(_ completion: inout TaskCompletion.Draft, isFile: Bool) {
        let serializer = completion.check.map { completion.serializer.validating($0) } ?? completion.serializer
        let result = serializer.serialize(
            head: completion.outcome.head, data: isFile ? Data() : completion.data)
        completion.object = isFile ? .file : .made(result.object)
        completion.error = result.error
    }

    /// Stores the end first, if the session is persistent: a caller may rely on an announced end.
    func recordEnd(_ completion: TaskCompletion, of task: SessionTask) {
        guard let store = session.store else { return announce(completion, of: task) }
        session.recordEnd(completion, of: task, in: store)
    }

    /// Records the result on the delegate queue, calls the closures, runs the completion handler on its own queue, then
    /// posts the notification.
    func announce(_ completion: TaskCompletion, of task: SessionTask) {
        let audience = manager.audience
        // A task is kept for longer than it needs passwords, and its closure may answer after the end.
        mutable.withLock { $0.answers = nil }
        // A handler of the end may repeat the request at once and then finds the response in the cache.
        updateCache(audience.cache, after: completion, of: task, audience.onWillCacheResponse)
        task.end(completion)
        audience.listener.hear(.completed(completion), of: task)
        audience.onComplete?(task, completion.error)
        let due = letGoOfClosures()
        manager.restorationEnded(task, of: session)
        guard let due else {
            return SessionNotification.postCompletion(completion, of: task, on: audience.notificationQueue)
        }
        session.runAfterDrain(
            DueCompletion(
                delivery: audience.delivery, receiver: due.receiver, group: due.group, completion: completion,
                task: task, notificationQueue: audience.notificationQueue))
    }

    /// The task was released by its last caller, so none can resume or receive it; its completion handler is still
    /// called.
    func taskWasForsaken(_ outcome: TransferOutcome) -> TaskCompletion {
        let completion = TaskCompletion(TaskCompletion.Draft(outcome, body: Data(), serializer: serializer))
        if let due = letGoOfClosures() {
            CompletionDelivery.run([
                DueCompletion(
                    delivery: manager.audience.delivery, receiver: due.receiver, group: due.group,
                    completion: completion, task: nil, notificationQueue: nil)
            ])
        }
        return completion
    }
}
