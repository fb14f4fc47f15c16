import SessionSupport

/// Writing rows.
extension TaskStoreRow {
    /// Returns the values of a transfer's columns, in order.
    static func values(_ transfer: StoredTransfer) -> [SQLiteValue] {
        TaskStoreColumn.allCases.map { value(of: $0, transfer) }
    }

    private static func value(of column: TaskStoreColumn, _ transfer: StoredTransfer) -> SQLiteValue {
        let request = transfer.request
        switch column {
        case .id: return .id(transfer.id)
        case .position: return .integer(transfer.position)
        case .kind: return .text(transfer.kind.rawValue)
        case .url: return .text(request.url)
        case .method: return .text(request.method)
        case .headers: return .text(headers(request.headers))
        case .bodyPath: return if case .file(let path) = request.body { .text(path) } else { .null }
        case .body: return if case .bytes(let bytes) = request.body { .blob(bytes) } else { .null }
        case .idleTimeout: return .optional(request.idleTimeout)
        case .http2: return request.allowsHTTP2.map { .integer($0) } ?? .null
        case .needsCredentials: return .integer(transfer.needsCredentials)
        case .destination, .folder, .name, .checksum, .options: return value(of: column, transfer.destination)
        case .wanted: return .text(transfer.wanted.rawValue)
        case .wasStarted: return .integer(transfer.wasStarted)
        case .standing: return .text(words(transfer.standing).standing)
        case .errorCode: return .optional(words(transfer.standing).code)
        case .errorMessage: return .optional(words(transfer.standing).message)
        case .finishingPath: return .optional(transfer.standing.file?.path)
        case .finishingDevice: return transfer.standing.file.map { .bits($0.device) } ?? .null
        case .finishingInode: return transfer.standing.file.map { .bits($0.inode) } ?? .null
        case .partPath: return .optional(transfer.partPath)
        case .filePath: return .optional(transfer.filePath)
        case .label: return .optional(transfer.label)
        case .createdAt: return .real(transfer.createdAt)
        case .finishedAt: return .optional(transfer.finishedAt)
        case .startedAt: return .optional(transfer.startedAt)
        case .statusCode: return transfer.statusCode.map { .integer(Int64($0)) } ?? .null
        case .failedAttempts: return .integer(Int64(transfer.failedAttempts))
        case .timings: return .optional(transfer.timings?.text)
        case .annotation: return .optional(transfer.annotation)
        case .upload: return .optional(request.uploadPlan?.storedText)
        }
    }

    /// Writes one line per field; a stored field has no line break, because task creation refuses it.
    private static func headers(_ headers: HeaderFields) -> String {
        headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
    }
}

/// Reading rows: an impossible value makes a row unreadable, instead of a different transfer.
extension TaskStoreRow {
    /// Decodes a statement's current row; nil for an invalid or changed one.
    static func decode(_ row: SQLiteStatement) -> StoredTransfer? {
        guard isSound(row), let kind = row.text(.kind).flatMap(TransferKind.init(rawValue:)),
            let request = request(row), let destination = destination(row),
            let wanted = row.text(.wanted).flatMap(StoredTransfer.Wanted.init(rawValue:)),
            let standing = standing(row), let createdAt = row.real(.createdAt)
        else { return nil }
        var transfer = StoredTransfer(
            id: TransferID(rawValue: UInt64(bitPattern: row.integer(.id))), kind: kind, request: request,
            needsCredentials: row.integer(.needsCredentials) != 0, destination: destination, createdAt: createdAt)
        transfer.position = row.integer(.position)
        transfer.wanted = wanted
        transfer.wasStarted = row.integer(.wasStarted) != 0
        transfer.standing = standing
        transfer.partPath = row.text(.partPath)
        transfer.filePath = row.text(.filePath)
        transfer.label = row.text(.label)
        transfer.finishedAt = row.real(.finishedAt)
        transfer.startedAt = row.real(.startedAt)
        transfer.statusCode = row.number(.statusCode).map { Int($0) }
        transfer.failedAttempts = Int(row.integer(.failedAttempts))
        transfer.timings = row.text(.timings).flatMap(StoredTransfer.Timings.init(text:))
        transfer.annotation = row.text(.annotation)
        transfer.counts = BodyCounts(
            received: row.integer(TaskStoreFigure.received.column), sent: row.integer(TaskStoreFigure.sent.column),
            expectedToReceive: row.number(TaskStoreFigure.expectedToReceive.column),
            expectedToSend: row.number(TaskStoreFigure.expectedToSend.column))
        return transfer
    }

    /// Returns whether a row is unchanged, with plausible times and counts.
    private static func isSound(_ row: SQLiteStatement) -> Bool {
        let times: [TaskStoreColumn] = [.createdAt, .finishedAt, .startedAt]
        let counts = TaskStoreFigure.allCases.dropFirst().map(\.column) + [TaskStoreColumn.failedAttempts.rawValue]
        return row.integer(soundness) != 0 && times.allSatisfy { row.real($0).map { $0.isFinite && $0 >= 0 } ?? true }
            && counts.allSatisfy { row.number($0) ?? 0 >= 0 }
    }

    private static func request(_ row: SQLiteStatement) -> TransferRequest? {
        guard let url = row.text(.url), URLScan(url).isRequestable, let method = row.text(.method),
            let headers = row.text(.headers).flatMap(headers)
        else { return nil }
        var request = TransferRequest(url: url, method: method, headers: headers)
        if let path = row.text(.bodyPath) {
            request.body = .file(path: path)
        } else if let bytes = row.blob(TaskStoreColumn.body.rawValue) {
            request.body = .bytes(bytes)
        }
        (request.idleTimeout, request.allowsHTTP2) = (row.real(.idleTimeout), row.number(.http2).map { $0 != 0 })
        if let plan = row.text(.upload).flatMap({ UploadPlan(storedText: $0) }) {
            (request.uploadResumption, request.uploadLocation) = (plan.intent, plan.location)
        }
        return request
    }

    private static func headers(_ text: String) -> HeaderFields? {
        let lines = text.split(separator: "\n")
        let fields = lines.compactMap { line in
            line.firstIndex(of: ":").map { colon in
                HeaderFields.Field(
                    name: String(line[..<colon]), value: String(line[line.index(after: colon)...]))
            }
        }
        return fields.count == lines.count ? HeaderFields(fields) : nil
    }

    private static func standing(_ row: SQLiteStatement) -> StoredTransfer.Status? {
        switch row.text(.standing) {
        case "unfinished": return .unfinished
        case "finishing":
            guard let path = row.text(.finishingPath) else { return nil }
            return .finishing(
                StoredTransfer.FinishingFile(
                    path: path, device: UInt64(bitPattern: row.integer(.finishingDevice)),
                    inode: UInt64(bitPattern: row.integer(.finishingInode))))
        case "completed": return .completed
        case "failed":
            guard let code = row.text(.errorCode).flatMap(SessionError.Code.init(rawValue:)) else { return nil }
            return .failed(code, message: row.text(.errorMessage) ?? "")
        case "cancelled": return .cancelled
        default: return nil
        }
    }
}

extension StoredTransfer.Status {
    /// The file that a part is about to become.
    fileprivate var file: StoredTransfer.FinishingFile? { if case .finishing(let file) = self { file } else { nil } }
}

extension SQLiteStatement {
    fileprivate func integer(_ column: TaskStoreColumn) -> Int64 { integer(column.rawValue) }
    fileprivate func number(_ column: TaskStoreColumn) -> Int64? { number(column.rawValue) }
    fileprivate func number(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
    fileprivate func real(_ column: TaskStoreColumn) -> Double? { real(column.rawValue) }
    func text(_ column: TaskStoreColumn) -> String? { text(column.rawValue) }
}
