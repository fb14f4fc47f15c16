/// A notification for clients with an open WebSocket.
package enum AriaNotice: String, Sendable, CaseIterable {
    case start = "aria2.onDownloadStart"
    case pause = "aria2.onDownloadPause"
    case stop = "aria2.onDownloadStop"
    case complete = "aria2.onDownloadComplete"
    case error = "aria2.onDownloadError"
    case torrentComplete = "aria2.onBtDownloadComplete"

    static var allNames: [String] { allCases.map(\.rawValue) }

    package func text(_ gid: String) -> [UInt8] {
        JSONWriter.bytes(
            of: .object([
                JSONValue.Member("jsonrpc", "2.0"), JSONValue.Member("method", .string(rawValue)),
                JSONValue.Member("params", .array([.object([JSONValue.Member("gid", .string(gid))])])),
            ]))
    }
}

/// What happened to a task, as far as notifications tell it.
package enum AriaMoment: Sendable {
    case added, started, paused, resumed, completed, failed, cancelled
}

/// Makes notifications of the moments of tasks, each once: a task that is added paused tells nothing before it starts.
package struct AriaNotices: Sendable {
    private enum Last {
        case added, start, pause
    }

    private var last: [UInt64: Last] = [:]

    package init() {}

    package mutating func notice(of moment: AriaMoment, _ id: UInt64) -> AriaNotice? {
        switch moment {
        case .added:
            last[id] = .added
            return nil
        case .started, .resumed:
            // A task that is resumed may still wait for its turn, and starts later.
            guard last[id] != .start else { return nil }
            last[id] = .start
            return .start
        case .paused:
            guard last[id] == .start || last[id] == nil else { return nil }
            last[id] = .pause
            return .pause
        case .completed: return end(id, .complete)
        case .failed: return end(id, .error)
        case .cancelled: return end(id, .stop)
        }
    }

    private mutating func end(_ id: UInt64, _ notice: AriaNotice) -> AriaNotice {
        last[id] = nil
        return notice
    }
}
