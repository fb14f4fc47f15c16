public import Foundation

extension Notification.Name {
    /// A task moved to running; object: the task.
    ///
    /// Posted on the manager's notification queue.
    public static let sessionTaskDidResume = Notification.Name("com.alamofire.networking.task.resume")
    /// A task moved to suspended; object: the task.
    ///
    /// Posted on the manager's notification queue.
    public static let sessionTaskDidSuspend = Notification.Name("com.alamofire.networking.task.suspend")
    /// A task ended; object: the task; the keys are in ``SessionNotification``.
    ///
    /// Posted after the completion handler has returned, on the manager's notification queue.
    public static let sessionTaskDidComplete = Notification.Name("com.alamofire.networking.task.complete")
    /// A session became invalid; object: the session.
    ///
    /// Posted on the delegate queue.
    public static let sessionDidInvalidate = Notification.Name("com.alamofire.networking.session.invalidate")
    /// A download's file was moved; object: the task.
    ///
    /// Posted on the delegate queue.
    public static let sessionDownloadTaskDidMoveFile = Notification.Name(
        "com.alamofire.networking.session.download.file-manager-succeed")
    /// A download's file could not be moved; object: the task; the userInfo describes the error.
    ///
    /// Posted on the delegate queue.
    public static let sessionDownloadTaskDidFailToMoveFile = Notification.Name(
        "com.alamofire.networking.session.download.file-manager-error")
}

/// The userInfo keys of notifications, with AFNetworking's strings, and how notifications are posted.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: .sessionTaskDidComplete, object: nil, queue: nil
/// ) { notification in
///     print(notification.userInfo?[SessionNotification.errorKey] ?? "ended well")
/// }
/// ```
public enum SessionNotification {
    /// The serialized object or the file's URL, if any.
    public static let serializedResponseKey = "com.alamofire.networking.task.complete.serializedresponse"
    /// The task's response serializer.
    public static let responseSerializerKey = "com.alamofire.networking.task.complete.responseserializer"
    /// The body as `Data`, unless the task has a file.
    public static let responseDataKey = "com.alamofire.networking.complete.finish.responsedata"
    /// The error, if any.
    public static let errorKey = "com.alamofire.networking.task.complete.error"
    /// The file's URL, also when moving it failed.
    public static let assetPathKey = "com.alamofire.networking.task.complete.assetpath"
    /// The ``TransferMetrics``.
    public static let metricsKey = "com.alamofire.networking.complete.sessiontaskmetrics"

    /// Posts a task's state change; does nothing without a queue.
    static func post(_ name: Notification.Name, _ task: SessionTask, on queue: DispatchQueue?) {
        queue?.async { NotificationCenter.default.post(name: name, object: task) }
    }

    static func postNow(_ name: Notification.Name, _ object: AnyObject, _ info: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: object, userInfo: info)
    }

    /// Posts a task's end; does nothing without a queue.
    static func postCompletion(_ completion: TaskCompletion, of task: SessionTask, on queue: DispatchQueue?) {
        queue?.async {
            NotificationCenter.default.post(
                name: .sessionTaskDidComplete, object: task, userInfo: userInfo(completion))
        }
    }

    static func userInfo(_ error: SessionError) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [NSLocalizedDescriptionKey: error.message, errorKey: error]
        info[NSURLErrorFailingURLErrorKey] = error.failingURL.flatMap { URL(string: $0) }
        return info
    }

    private static func userInfo(_ completion: TaskCompletion) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            responseSerializerKey: completion.serializer, metricsKey: completion.metrics,
        ]
        info[serializedResponseKey] = completion.object
        info[errorKey] = completion.error
        if let file = completion.fileURL {
            info[assetPathKey] = file
        } else {
            info[responseDataKey] = completion.data
        }
        return info
    }
}
