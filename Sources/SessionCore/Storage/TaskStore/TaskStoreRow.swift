import SessionSupport

/// A transfer as a row of the table, in one order of columns for writing and reading.
enum TaskStoreRow {
    private static let columns = [
        "id", "position", "kind", "url", "method", "headers", "body_path", "body", "idle_timeout", "allows_http2",
        "needs_credentials", "destination", "folder", "name", "collision", "adopts_part", "checksum", "wanted",
        "was_started", "standing", "error_code", "error_message", "finishing_path", "finishing_device",
        "finishing_inode", "part_path", "file_path", "label", "created_at", "finished_at", "started_at",
        "status_code", "failed_attempts", "timings", "annotation", "upload", "target_options",
    ]

    private static let progressColumns = ["id", "received", "sent", "expected_to_receive", "expected_to_send"]

    /// Reads rows with their counts and whether both are as they were written, in the user's order; those of an earlier
    /// version have fewer columns, and no digests before the seventh.
    static func select(where condition: String, columnCount: Int = TaskStoreSchema.columnCounts.upperBound) -> String {
        let own = columns.prefix(columnCount).map { "t.\($0)" }
        let added = TaskStoreSchema.defaults.prefix(columns.count - TaskStoreSchema.columnCounts.lowerBound)
            .suffix(columns.count - own.count).map { $0 == .null ? "NULL" : "0" }
        let counts = progressColumns.dropFirst().map { "p.\($0)" }
        let isSound =
            columnCount > columns.count ? "\(isSound(of: "t")) AND (p.id IS NULL OR \(areCountsSound(of: "p")))" : "1"
        return """
            SELECT \((own + added + counts + [isSound]).joined(separator: ", "))
            FROM transfers t LEFT JOIN progress p ON p.id=t.id WHERE \(condition) ORDER BY t.position, t.id
            """
    }

    // MARK: Digests

    /// Inserts a row of ``values(_:)`` and its digest.
    static let insert = insertion(digest: digest(of: columns.indices.map { "?\($0 + 1)" }))
    /// Inserts a row with the digest that was read with it.
    ///
    /// Of rows with one number the one that proves itself stays.
    static let insertAsRead = insertion(
        digest: "?\(columns.count + 1)",
        unless: "EXISTS (SELECT 1 FROM transfers WHERE id=?1 AND \(isSound()))")

    /// Sets columns of a row, and its digest to that of the row as it is then.
    static func update(_ changes: KeyValuePairs<String, String>, where condition: String) -> String {
        let new = Dictionary(uniqueKeysWithValues: changes.map { ($0.key, $0.value) })
        let digest = digest(of: columns.map { new[$0] ?? $0 })
        let all = changes.map { "\($0.key)=\($0.value)" } + ["digest=\(digest)"]
        return "UPDATE transfers SET \(all.joined(separator: ", ")) WHERE \(condition)"
    }

    /// Inserts the counts of a transfer that is there, and their digest.
    static let insertCounts = """
        INSERT OR REPLACE INTO progress (\(progressColumns.joined(separator: ", ")), digest)
        SELECT ?1, ?2, ?3, ?4, ?5, \(digest(of: progressColumns.indices.map { "?\($0 + 1)" }))
        WHERE EXISTS (SELECT 1 FROM transfers WHERE id=?1)
        """

    /// Inserts counts with the digest that was read with them; of rows with one number the one that proves itself stays.
    static let insertCountsAsRead = """
        INSERT OR REPLACE INTO progress (\(progressColumns.joined(separator: ", ")), digest)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM transfers WHERE id=?1)
        AND NOT EXISTS (SELECT 1 FROM progress WHERE id=?1 AND \(areCountsSound()))
        """

    /// Gives rows the digests of what they are.
    static let seal = [
        update([:], where: "1"), "UPDATE progress SET digest=\(digest(of: progressColumns))",
    ]

    /// Whether a row is as it was written.
    static func isSound(of table: String = "transfers") -> String {
        "\(table).digest IS \(digest(of: columns.map { "\(table).\($0)" }))"
    }

    /// Whether counts are as they were written.
    static func areCountsSound(of table: String = "progress") -> String {
        "\(table).digest IS \(digest(of: progressColumns.map { "\(table).\($0)" }))"
    }

    private static func insertion(digest: String, unless condition: String = "0") -> String {
        let values = columns.indices.map { "?\($0 + 1)" } + [digest]
        return """
            INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", ")), digest)
            SELECT \(values.joined(separator: ", ")) WHERE NOT \(condition)
            """
    }

    private static func digest(of values: [String]) -> String { "row_digest(\(values.joined(separator: ", ")))" }

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
            .real(transfer.createdAt), .optional(transfer.finishedAt), .optional(transfer.startedAt),
            transfer.statusCode.map { .integer(Int64($0)) } ?? .null, .integer(Int64(transfer.failedAttempts)),
            .optional(transfer.timings?.text), .optional(transfer.annotation),
            .optional(request.uploadPlan?.storedText), .optional(targetOptions(transfer.destination)),
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
        case .none, .descriptor, .pieces: [.null, .null]
        case .bytes(let bytes): [.null, .blob(bytes)]
        case .file(let path): [.text(path), .null]
        }
    }

    private static func targetOptions(_ destination: StoredTransfer.Destination) -> String? {
        if case .target(let target) = destination { target.storedOptions } else { nil }
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

/// Reading rows: what no writer of ours can have written makes a row unreadable, never another transfer.
extension TaskStoreRow {
    /// The transfer of a statement's current row; nil when a value in it has no meaning, or is not what was written.
    static func decode(_ row: SQLiteStatement) -> StoredTransfer? {
        guard let kind = row.text(2).flatMap(TransferKind.init(rawValue:)), let request = request(row),
            let destination = destination(row),
            let wanted = row.text(17).flatMap(StoredTransfer.Wanted.init(rawValue:)),
            let standing = standing(row), let createdAt = row.real(28)
        else { return nil }
        var transfer = StoredTransfer(
            id: TransferID(rawValue: UInt64(bitPattern: row.integer(0))), kind: kind, request: request,
            needsCredentials: row.integer(10) != 0, destination: destination, createdAt: createdAt)
        guard isSound(row) else { return nil }
        transfer.position = row.integer(1)
        transfer.wanted = wanted
        transfer.wasStarted = row.integer(18) != 0
        transfer.standing = standing
        transfer.partPath = row.text(25)
        transfer.filePath = row.text(26)
        transfer.label = row.text(27)
        transfer.finishedAt = row.real(29)
        transfer.startedAt = row.real(30)
        transfer.statusCode = row.isNull(31) ? nil : Int(row.integer(31))
        transfer.failedAttempts = Int(row.integer(32))
        transfer.timings = row.text(33).flatMap(StoredTransfer.Timings.init(text:))
        transfer.annotation = row.text(34)
        transfer.counts = StoredTransfer.Counts(
            received: row.integer(37), sent: row.integer(38),
            expectedToReceive: row.isNull(39) ? nil : row.integer(39),
            expectedToSend: row.isNull(40) ? nil : row.integer(40))
        return transfer
    }

    /// Whether times and counts are such as a transfer can have.
    private static func isSound(_ row: SQLiteStatement) -> Bool {
        let times: [Int32] = [28, 29, 30]
        let counts: [Int32] = [32, 37, 38, 39, 40]
        return row.integer(41) != 0 && times.allSatisfy { row.real($0).map { $0.isFinite && $0 >= 0 } ?? true }
            && counts.allSatisfy { row.isNull($0) || row.integer($0) >= 0 }
    }

    /// Whether a name can be that of a file in a folder, and of none elsewhere.
    private static func isName(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    /// Whether a URL is one that a task can have been made for.
    private static func isURL(_ url: String) -> Bool {
        let scheme = URLScan(url).scheme.map { ByteText.lowercased(url[$0]) }
        return (scheme == "http" || scheme == "https") && url.utf8.count <= 64 << 10
            && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func request(_ row: SQLiteStatement) -> TransferRequest? {
        guard let url = row.text(3), isURL(url), let method = row.text(4), let headers = row.text(5).flatMap(headers)
        else {
            return nil
        }
        var request = TransferRequest(url: url, method: method, headers: headers)
        if let path = row.text(6) {
            request.body = .file(path: path)
        } else if let bytes = row.blob(7) {
            request.body = .bytes(bytes)
        }
        request.idleTimeout = row.real(8)
        request.allowsHTTP2 = row.isNull(9) ? nil : row.integer(9) != 0
        if let plan = row.text(35).flatMap({ UploadPlan(storedText: $0) }) {
            request.uploadResumption = plan.wish
            request.uploadPlace = plan.place
        }
        return request
    }

    private static func headers(_ text: String) -> HeaderFields? {
        var headers = HeaderFields()
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.append(name: String(line[..<colon]), value: String(line[line.index(after: colon)...]))
        }
        return headers
    }

    private static func destination(_ row: SQLiteStatement) -> StoredTransfer.Destination? {
        switch row.text(11) {
        case "memory": return .memory
        case "staged": return .staged
        case "target":
            guard let folder = row.text(12),
                let collision = row.text(14).flatMap(DownloadTarget.Collision.init(rawValue:))
            else { return nil }
            guard row.text(13).map(isName) ?? true, !folder.utf8.contains(0) else { return nil }
            var target = DownloadTarget(
                folder: folder, name: row.text(13).map { .fixed($0) } ?? .automatic, collision: collision,
                adoptsPart: row.integer(15) != 0)
            if let text = row.text(16) {
                // Without its checksum a download would be taken for good unseen.
                guard let checksum = checksum(text) else { return nil }
                target.checksum = checksum
            }
            if let options = row.text(36) { target.apply(storedOptions: options, isURL: isURL) }
            return .target(target)
        default: return nil
        }
    }

    private static func checksum(_ text: String) -> Checksum? {
        guard let colon = text.lastIndex(of: ":"),
            let algorithm = Checksum.Algorithm(rawValue: String(text[..<colon]))
        else { return nil }
        let digits = text[text.index(after: colon)...].utf8.compactMap(ByteText.hexadecimalValue)
        guard digits.count == algorithm.byteCount * 2,
            text.utf8.count - algorithm.rawValue.utf8.count - 1 == digits.count
        else { return nil }
        let digest = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Checksum(algorithm: algorithm, digest: digest)
    }

    private static func standing(_ row: SQLiteStatement) -> StoredTransfer.Standing? {
        switch row.text(19) {
        case "unfinished": return .unfinished
        case "finishing":
            guard let path = row.text(22) else { return nil }
            return .finishing(
                StoredTransfer.FinishingFile(
                    path: path, device: UInt64(bitPattern: row.integer(23)),
                    inode: UInt64(bitPattern: row.integer(24))))
        case "completed": return .completed
        case "failed":
            guard let code = row.text(20).flatMap(SessionError.Code.init(rawValue:)) else { return nil }
            return .failed(code, message: row.text(21) ?? "")
        case "cancelled": return .cancelled
        default: return nil
        }
    }
}
