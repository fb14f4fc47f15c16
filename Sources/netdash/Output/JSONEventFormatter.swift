import Dashboard
import SessionSupport
import TransferService

/// Formats events as lines of JSON, one object each.
struct JSONEventFormatter {
    /// The line of one event, with its line break and its transfer's tag.
    func line(for event: TransferEvent, tag: String? = nil) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("event", Self.name(of: event.what))
        object.add("time", event.time.rfc3339)
        object.add("id", event.id)
        if let url = event.url { object.add("url", Redaction.url(url)) }
        if let tag { object.add("tag", tag) }
        addDetails(of: event.what, to: &object)
        if let timings = event.timings { add(timings, to: &object) }
        return object.closed() + [UInt8(ascii: "\n")]
    }

    /// The summary line.
    func line(for summary: RunSummary, time: Timestamp) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("event", "summary")
        object.add("time", time.rfc3339)
        object.add("completed", summary.completed)
        object.add("failed", summary.failed)
        object.add("cancelled", summary.cancelled)
        object.add("paused", summary.paused)
        object.add("bytes", summary.moved.total)
        object.add("seconds", summary.seconds)
        return object.closed() + [UInt8(ascii: "\n")]
    }

    /// The line that stands for events that were lost.
    func lineOfLoss(time: Timestamp) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("event", "lost")
        object.add("time", time.rfc3339)
        return object.closed() + [UInt8(ascii: "\n")]
    }

    private static func name(of what: TransferEvent.What) -> String {
        switch what {
        case .added: "added"
        case .started: "started"
        case .response: "response"
        case .progress: "progress"
        case .paused: "paused"
        case .resumed: "resumed"
        case .retrying: "retrying"
        case .restarted: "restarted"
        case .mirrorDropped: "mirrorDropped"
        case .mirrorSwitched: "mirrorSwitched"
        case .notice: "notice"
        case .completed: "completed"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    private static func name(of continuation: Resumability) -> String {
        switch continuation {
        case .no: "no"
        case .unknown: "unknown"
        case .yes: "yes"
        }
    }

    private func add(_ timings: TransferEvent.Timings, to object: inout JSONObjectWriter) {
        object.add("timings") { steps in
            steps.add("dns", timings.nameLookup)
            steps.add("connect", timings.connect)
            steps.add("tls", timings.secureConnect)
            steps.add("firstByte", timings.firstByte)
            steps.add("total", timings.total)
        }
    }

    private func addDetails(of what: TransferEvent.What, to object: inout JSONObjectWriter) {
        switch what {
        case .started, .paused, .resumed, .cancelled: break
        case .added(let job):
            object.add("kind", job.kind.rawValue)
            object.add("url", Redaction.url(job.url))
            object.add("method", job.method)
            object.add("path", job.path)
            object.add("repeated", job.isRepeated)
        case .response(let status, let headers, let continuation, let head):
            object.add("status", status)
            object.add("headers", headers)
            object.add("resumable", continuation == .yes)
            object.add("continuation", Self.name(of: continuation))
            guard let head else { break }
            object.add("version", head.version)
            object.add("reason", head.reason)
            object.add("fields", pairs: head.fields.map { ($0.name, $0.value) })
        case .progress(let figures):
            object.add("received", figures.received)
            object.add("sent", figures.sent)
            object.add("expectedToReceive", figures.expectedToReceive)
            object.add("expectedToSend", figures.expectedToSend)
            object.add("bytesPerSecond", figures.bytesPerSecond)
            if figures.connections > 1 { object.add("connections", figures.connections) }
        case .retrying(let attempt, let after, let reason):
            object.add("attempt", attempt)
            object.add("after", after)
            object.add("reason", reason)
        case .restarted(let reason): object.add("reason", reason)
        case .notice(let sentence): object.add("message", sentence)
        case .mirrorDropped(let url, let reason):
            object.add("source", Redaction.url(url))
            object.add("reason", reason)
        case .mirrorSwitched(let url, let earlier, let reason):
            object.add("source", Redaction.url(url))
            object.add("from", Redaction.url(earlier))
            object.add("reason", reason)
        case .completed(let completion):
            object.add("path", completion.path)
            object.add("bytes", completion.bytes)
            if let digest = completion.sha256 { object.add("sha256", digest) }
            switch completion.proof {
            case .matches(let algorithm): object.add("verified", algorithm)
            case .notFound: object.add("verified", false)
            case nil: break
            }
            object.add("seconds", completion.seconds)
            object.add("skipped", completion.wasSkipped)
            if completion.isUnchanged { object.add("unchanged", true) }
            if let note = completion.note { object.add("note", note) }
            if !completion.lengthWasVerified { object.add("lengthVerified", false) }
        case .failed(let failure):
            object.add("error") { error in
                error.add("kind", failure.kind)
                error.add("message", failure.message)
                error.add("httpStatus", failure.httpStatus)
                error.add("path", failure.partPath)
            }
        }
    }
}
