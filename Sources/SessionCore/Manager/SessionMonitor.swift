import SessionSupport

/// A listener to every event of every task of a manager: for logs, statistics and indicators.
///
/// Any number of monitors can observe independently, which the closures of ``SessionHandlers`` do not allow. A monitor
/// decides nothing. It is called on the delegate queue, so it should return soon.
///
/// ```swift
/// struct Ends: SessionMonitor {
///     func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
///         if case .completed = event { print(task.id) }
///     }
/// }
/// manager.add(Ends())
/// ```
public protocol SessionMonitor: Sendable {
    /// Receives an event of a task.
    func task(_ task: SessionTask, didReceive event: SessionTaskEvent)
}

extension SessionManager {
    /// The listeners to every event of every task, called after ``SessionHandlers/onTaskEvent`` in this order; none by
    /// default.
    ///
    /// A monitor added while tasks run receives the events from then on.
    public var monitors: [any SessionMonitor] {
        get { state.withLock { $0.monitors } }
        set { state.replace(\.monitors, with: newValue) }
    }

    /// Adds a monitor after the existing ones.
    public func add(_ monitor: any SessionMonitor) { state.withLock { $0.monitors.append(monitor) } }
}

/// A monitor that writes a line for each start, response, repetition and end of a task, without secrets.
///
/// Secrets in URLs are masked, and every control character is replaced, so that servers cannot move a terminal's
/// cursor. Bodies are never written.
///
/// ```swift
/// manager.add(SessionLog { line in print(line) })
/// ```
public struct SessionLog: SessionMonitor {
    private let write: @Sendable (String) -> Void

    /// A log that passes each line, without its end, to the closure on the delegate queue.
    public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Writes an event's line, if it has one.
    public func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
        guard let text = Self.text(of: event, task) else { return }
        write(Self.harmless("[\(task.taskIdentifier)] \(text)"))
    }

    private static func text(of event: SessionTaskEvent, _ task: SessionTask) -> String? {
        switch event {
        case .resumed: MonitorLog.resumed("\(task.request.method) \(Redaction.url(task.request.url))")
        case .suspended: MonitorLog.suspended
        case .response(let head): MonitorLog.answered(head.statusCode, Redaction.url(head.url))
        case .restarted(let reason): MonitorLog.restarted(reason)
        case .retrying(let attempt, let delay, let reason): MonitorLog.retrying(attempt, milliseconds: delay, reason)
        case .source(.dropped(let url, let reason)): MonitorLog.mirrorDropped(Redaction.url(url), reason)
        case .source(.switched(let url, let earlier, let reason)):
            MonitorLog.mirrorChanged(Redaction.url(earlier), reason, to: Redaction.url(url))
        case .source(.tookBack(let url, let bytes, let reason)):
            MonitorLog.tookBack(bytes, Redaction.url(url), reason)
        case .resumedAtOffset(let offset, _): MonitorLog.resumedAt(offset)
        case .completed(let completion): end(of: completion)
        case .status, .data, .moved, .moveFailed: nil
        }
    }

    private static func end(of completion: TaskCompletion) -> String {
        let (received, sent) = (completion.status.received, completion.status.sent)
        guard let error = completion.error else { return MonitorLog.ended(received: received, sent: sent) }
        let reason = error.sentence
        return MonitorLog.failed(received: received, sent: sent, reason)
    }

    private static func harmless(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
