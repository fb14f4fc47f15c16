import Dashboard
import ServiceWire
import SessionSupport
import TransferService

/// The state of a service as one JSON object, for scripts and exporters.
enum StatusReport {
    /// `moved` counts what the service has transferred since its start, whatever rows are left.
    static func object(_ rows: [RowSnapshot], _ moved: MovedBytes, _ welcome: Welcome) -> String {
        var object = JSONObjectWriter()
        object.add("version", welcome.program)
        object.add("process", welcome.process)
        object.add("session", welcome.session)
        object.add("directory", welcome.directory)
        object.add(
            "tasks",
            object: { counts in
                for state in RowState.allCases { counts.add(state.rawValue, rows.count { $0.state == state }) }
            })
        object.add("bytesReceived", moved.received)
        object.add("bytesSent", moved.sent)
        object.add("rows", objects: rows, add)
        return String(decoding: object.closed(), as: UTF8.self)
    }

    private static func add(_ row: RowSnapshot, to object: inout JSONObjectWriter) {
        object.add("id", row.id)
        object.add("kind", row.kind.rawValue)
        object.add("state", row.state.rawValue)
        object.add("name", row.name.string)
        object.add("url", row.url.string)
        object.add("bytes", row.moved)
        object.add("expected", row.expected)
        object.add("status", row.statusCode)
        object.add("held", row.heldWord?.string)
        object.add("cause", row.cause?.rawValue)
        object.add("error", row.error?.string)
        object.add("path", row.path?.string)
    }
}
