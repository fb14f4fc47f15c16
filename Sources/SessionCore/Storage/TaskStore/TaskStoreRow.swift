import Support

/// A transfer as a row of the table, in one order of columns for writing and reading.
enum TaskStoreRow {
    private static let columns = [
        "id", "position", "kind", "url", "method", "headers", "body_path", "body", "idle_timeout", "allows_http2",
        "needs_credentials", "destination", "folder", "name", "collision", "adopts_part", "checksum", "wanted",
        "was_started", "standing", "error_code", "error_message", "finishing_path", "finishing_device",
        "finishing_inode", "part_path", "file_path", "label", "created_at", "finished_at",
    ]

    static let insert =
        "INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", "))) VALUES ("
        + columns.map { _ in "?" }.joined(separator: ", ") + ")"

    /// Reads rows with their counts, in the user's order.
    static func select(where condition: String) -> String {
        let own = columns.map { "t.\($0)" }.joined(separator: ", ")
        return """
            SELECT \(own), p.received, p.sent, p.expected_to_receive, p.expected_to_send
            FROM transfers t LEFT JOIN progress p ON p.id=t.id WHERE \(condition) ORDER BY t.position, t.id
            """
    }

    // MARK: Writing

    static func values(_ transfer: StoredTransfer) -> [SQLiteValue] {
        let request = transfer.request
        var values: [SQLiteValue] = [
            .id(transfer.id), .integer(transfer.position), .text(transfer.kind.rawValue), .text(request.url),
            .text(request.method), .text(headers(request.headers)),
        ]
        values += body(request.body)
        values += [
            .optional(request.idleTimeout), request.allowsHTTP2.map { .integer($0) } ?? .null,
            .integer(transfer.needsCredentials),
        ]
        values += destination(transfer.destination)
        values += [.text(transfer.wanted.rawValue), .integer(transfer.wasStarted)]
        values += standing(transfer.standing)
        values += [
            .optional(transfer.partPath), .optional(transfer.filePath), .optional(transfer.label),
            .real(transfer.createdAt), .optional(transfer.finishedAt),
        ]
        return values
    }

    /// A standing's word, and an error's kind and sentence.
    static func words(_ standing: StoredTransfer.Standing) -> (standing: String, code: String?, message: String?) {
        switch standing {
        case .unfinished: ("unfinished", nil, nil)
        case .finishing: ("finishing", nil, nil)
        case .completed: ("completed", nil, nil)
        case .failed(let code, let message): ("failed", code.rawValue, message)
        case .cancelled: ("cancelled", nil, nil)
        }
    }

    private static func standing(_ standing: StoredTransfer.Standing) -> [SQLiteValue] {
        let words = words(standing)
        var values: [SQLiteValue] = [.text(words.standing), .optional(words.code), .optional(words.message)]
        switch standing {
        case .finishing(let file): values += [.text(file.path), .bits(file.device), .bits(file.inode)]
        case .unfinished, .completed, .failed, .cancelled: values += [.null, .null, .null]
        }
        return values
    }

    /// A line per field; a stored field holds no line break, because task creation refuses it.
    private static func headers(_ headers: HeaderFields) -> String {
        headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
    }

    private static func body(_ body: BodySpecification) -> [SQLiteValue] {
        switch body {
        case .none, .descriptor: [.null, .null]
        case .bytes(let bytes): [.null, .blob(bytes)]
        case .file(let path): [.text(path), .null]
        }
    }

    private static func destination(_ destination: StoredTransfer.Destination) -> [SQLiteValue] {
        switch destination {
        case .memory: return [.text("memory"), .null, .null, .null, .null, .null]
        case .staged: return [.text("staged"), .null, .null, .null, .null, .null]
        case .target(let target):
            let name: String? = if case .fixed(let name) = target.name { name } else { nil }
            let checksum = target.checksum.map { "\($0.algorithm.rawValue):\(ByteText.hexadecimal($0.digest))" }
            return [
                .text("target"), .text(target.folder), .optional(name), .text(target.collision.rawValue),
                .integer(target.adoptsPart), .optional(checksum),
            ]
        }
    }
}
