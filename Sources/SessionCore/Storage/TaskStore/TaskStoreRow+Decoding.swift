import Support

/// Reading rows: what no writer of ours can have written makes a row unreadable, never another transfer.
extension TaskStoreRow {
    /// The transfer of a statement's current row; nil when a value in it has no meaning.
    static func decode(_ row: SQLiteStatement) -> StoredTransfer? {
        guard let kind = row.text(2).flatMap(TransferKind.init(rawValue:)), let request = request(row),
            let destination = destination(row),
            let wanted = row.text(17).flatMap(StoredTransfer.Wanted.init(rawValue:)),
            let standing = standing(row), let createdAt = row.real(28)
        else { return nil }
        var transfer = StoredTransfer(
            id: TransferID(rawValue: UInt64(bitPattern: row.integer(0))), kind: kind, request: request,
            needsCredentials: row.integer(10) != 0, destination: destination, createdAt: createdAt)
        transfer.position = row.integer(1)
        transfer.wanted = wanted
        transfer.wasStarted = row.integer(18) != 0
        transfer.standing = standing
        transfer.partPath = row.text(25)
        transfer.filePath = row.text(26)
        transfer.label = row.text(27)
        transfer.finishedAt = row.real(29)
        transfer.counts = StoredTransfer.Counts(
            received: row.integer(30), sent: row.integer(31),
            expectedToReceive: row.isNull(32) ? nil : row.integer(32),
            expectedToSend: row.isNull(33) ? nil : row.integer(33))
        return transfer
    }

    private static func request(_ row: SQLiteStatement) -> TransferRequest? {
        guard let url = row.text(3), let method = row.text(4), let headers = row.text(5).flatMap(headers) else {
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
            var target = DownloadTarget(
                folder: folder, name: row.text(13).map { .fixed($0) } ?? .automatic, collision: collision,
                adoptsPart: row.integer(15) != 0)
            if let text = row.text(16) {
                // Without its checksum a download would be taken for good unseen.
                guard let checksum = checksum(text) else { return nil }
                target.checksum = checksum
            }
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
