import Dashboard
import SessionSupport
import TransferService

/// The facts for a hook command: each as an environment variable and as a member of one JSON object.
///
/// One table produces both, so that they cannot differ. Secrets in URLs are masked.
struct HookFields: Sendable {
    private enum Value: Sendable {
        case text(String)
        case number(Int64)
        case seconds(Double)
        case flag(Bool)
    }

    /// The most bytes of a variable's text.
    private static let variableLimit = 100_000

    private var fields: [(field: HookField, value: Value)] = []

    /// The fields of a task that has ended; the row is nil when it has left the list.
    ///
    /// `source` is the uploaded file; relative paths start at `folder`, and stay as they are without one. A row's own
    /// path is not used: its unprintable characters are replaced, and a command would open another file.
    init(_ event: TransferEvent, moment: NotificationEvent, row: RowSnapshot?, source: String?, folder: String?) {
        add(.event, .text(moment.rawValue))
        add(.time, .text(event.time.rfc3339))
        add(.id, .number(Int64(clamping: event.id)))
        add(.kind, (row?.kind.rawValue).map(Value.text))
        add(.method, (row?.method.string).map(Value.text))
        add(.name, (row?.name.string).map(Value.text))
        add(.url, event.url.map { .text(Redaction.url($0)) })
        add(.httpStatus, (row?.statusCode).map { .number(Int64($0)) })
        switch event.what {
        case .completed(let completion):
            add(.path, (completion.path ?? source).map { .text(Self.absolute($0, in: folder)) })
            add(.bytes, .number(completion.bytes))
            if let seconds = completion.seconds { add(.seconds, .seconds(seconds)) }
            add(.sha256, completion.sha256.map(Value.text))
            add(.skipped, .flag(completion.wasSkipped))
        case .failed(let failure):
            add(.path, source.map { .text(Self.absolute($0, in: folder)) })
            add(.bytes, (row?.moved).map(Value.number))
            add(.error, .text(failure.message))
            add(.errorKind, .text(failure.kind))
            add(.part, failure.partPath.map { .text(Self.absolute($0, in: folder)) })
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice, .cancelled:
            break
        }
    }

    init(_ summary: RunSummary, at time: Timestamp) {
        add(.event, .text(NotificationEvent.allDone.rawValue))
        add(.time, .text(time.rfc3339))
        add(.completed, .number(Int64(summary.completed)))
        add(.failed, .number(Int64(summary.failed)))
        add(.cancelled, .number(Int64(summary.cancelled)))
        add(.paused, .number(Int64(summary.paused)))
        add(.bytes, .number(summary.moved.total))
        add(.seconds, .seconds(summary.seconds))
    }

    /// The variables by name.
    ///
    /// No variable can contain a NUL, so a text ends before its first one; the system starts no command with a variable
    /// of more than 128 KiB, so a text near that is only in the JSON.
    var environment: [String: String] {
        var result: [String: String] = [:]
        for (field, value) in fields {
            let text =
                switch value {
                case .text(let text): String(decoding: text.utf8.prefix { $0 != 0 }, as: UTF8.self)
                case .number(let number): String(number)
                case .seconds(let seconds): String((seconds * 1000).rounded() / 1000)
                case .flag(let isSet): isSet ? "1" : "0"
                }
            if text.utf8.count <= Self.variableLimit { result[field.variable] = text }
        }
        return result
    }

    /// The object's JSON, with a line break at the end.
    var json: [UInt8] {
        var object = JSONObjectWriter()
        for (field, value) in fields {
            switch value {
            case .text(let text): object.add(field.rawValue, text)
            case .number(let number): object.add(field.rawValue, number)
            case .seconds(let seconds): object.add(field.rawValue, seconds)
            case .flag(let isSet): object.add(field.rawValue, isSet)
            }
        }
        return object.closed() + [UInt8(ascii: "\n")]
    }

    // MARK: - Helpers

    private mutating func add(_ field: HookField, _ value: Value?) {
        if let value { fields.append((field, value)) }
    }

    /// An absolute path, which is valid in every folder and begins with no dash.
    private static func absolute(_ path: String, in folder: String?) -> String {
        guard !path.hasPrefix("/"), let folder else { return path }
        return (folder.hasSuffix("/") ? folder : folder + "/") + (path.hasPrefix("./") ? path.dropFirst(2) : path[...])
    }
}
