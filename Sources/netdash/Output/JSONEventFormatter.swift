import Dashboard
import SessionSupport

/// Turns events into lines of JSON, one object each.
struct JSONEventFormatter {
    /// The line of one event, with its line break.
    func line(for event: TransferEvent) -> [UInt8] {
        var object = JSONObject()
        object.add("event", Self.name(of: event.what))
        object.add("time", event.time.rfc3339)
        object.add("id", event.id)
        if let url = event.url { object.add("url", Redaction.url(url)) }
        addDetails(of: event.what, to: &object)
        return object.closed() + [UInt8(ascii: "\n")]
    }

    /// The last line.
    func line(for summary: RunSummary, time: Timestamp) -> [UInt8] {
        var object = JSONObject()
        object.add("event", "summary")
        object.add("time", time.rfc3339)
        object.add("completed", summary.completed)
        object.add("failed", summary.failed)
        object.add("cancelled", summary.cancelled)
        object.add("paused", summary.paused)
        object.add("bytes", summary.bytes)
        object.add("seconds", summary.seconds)
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
        case .completed: "completed"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    private func addDetails(of what: TransferEvent.What, to object: inout JSONObject) {
        switch what {
        case .started, .paused, .resumed, .cancelled: break
        case .added(let job):
            object.add("kind", job.kind.rawValue)
            object.add("url", Redaction.url(job.url))
            object.add("method", job.method)
            object.add("path", job.path)
            object.add("repeated", job.isRepeated)
        case .response(let status, let headers, let isResumable):
            object.add("status", status)
            object.add("headers", headers)
            object.add("resumable", isResumable)
        case .progress(let figures):
            object.add("received", figures.received)
            object.add("sent", figures.sent)
            object.add("expectedToReceive", figures.expectedToReceive)
            object.add("expectedToSend", figures.expectedToSend)
            object.add("bytesPerSecond", figures.bytesPerSecond)
        case .retrying(let attempt, let after, let reason):
            object.add("attempt", attempt)
            object.add("after", after)
            object.add("reason", reason)
        case .restarted(let reason): object.add("reason", reason)
        case .completed(let completion):
            object.add("path", completion.path)
            object.add("bytes", completion.bytes)
            if let digest = completion.sha256 { object.add("sha256", digest) }
            object.add("seconds", completion.seconds)
            object.add("skipped", completion.wasSkipped)
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

/// Writes one JSON object, member by member, as bytes of UTF-8.
///
/// Strings keep their characters but for what JSON must escape and for whatever a terminal could obey, which travels as
/// `\u` escapes: the reader gets the true text and a screen stays unharmed.
private struct JSONObject {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// Adds a string, or null.
    mutating func add(_ key: StaticString, _ value: String?) {
        begin(key)
        if let value { append(quoted: value) } else { append("null") }
    }

    /// Adds a whole number, or null.
    mutating func add(_ key: StaticString, _ value: (some BinaryInteger)?) {
        begin(key)
        append(value.map { String($0) } ?? "null")
    }

    /// Adds a number with at most three decimals, or null; what JSON cannot say is null as well.
    mutating func add(_ key: StaticString, _ value: Double?) {
        begin(key)
        guard let value, value.isFinite, abs(value) < 1e15 else {
            append("null")
            return
        }
        append(String((value * 1000).rounded() / 1000))
    }

    /// Adds true or false.
    mutating func add(_ key: StaticString, _ value: Bool) {
        begin(key)
        append(value ? "true" : "false")
    }

    /// Adds an object inside this one.
    mutating func add(_ key: StaticString, object build: (inout JSONObject) -> Void) {
        begin(key)
        var inner = JSONObject()
        build(&inner)
        bytes += inner.closed()
    }

    /// The object's bytes, closed.
    func closed() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

    // MARK: - Parts

    private mutating func begin(_ key: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(quoted: key.description)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            default: append(scalar)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value >= 0x20, scalar.value < 0x7F {
            bytes.append(UInt8(scalar.value))
        } else if Self.mustBeEscaped(scalar) {
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        } else {
            bytes += String(scalar).utf8
        }
    }

    /// Controls, and characters that hide or turn the text around them.
    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return true }
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
