import SessionSupport

/// What a row of the store has, in the order in which it is made, written and read.
enum TaskStoreColumn: Int32, CaseIterable {
    case id, position, kind, url, method, headers, bodyPath, body, idleTimeout, http2, needsCredentials
    case destination, folder, name, checksum, options, wanted, wasStarted, standing, errorCode, errorMessage
    case finishingPath, finishingDevice, finishingInode, partPath, filePath, label, createdAt, finishedAt, startedAt
    case statusCode, failedAttempts, timings, annotation, upload

    /// The name in the table: `part_path`.
    var name: String { ByteText.snakeCase("\(self)") }

    /// What the table takes there.
    var type: String {
        switch self {
        case .id: "INTEGER PRIMARY KEY AUTOINCREMENT"
        case .position, .needsCredentials, .wasStarted, .failedAttempts: "INTEGER NOT NULL"
        case .kind, .url, .method, .headers, .destination, .wanted, .standing: "TEXT NOT NULL"
        case .createdAt: "REAL NOT NULL"
        case .http2, .finishingDevice, .finishingInode, .statusCode: "INTEGER"
        case .idleTimeout, .finishedAt, .startedAt: "REAL"
        case .body: "BLOB"
        default: "TEXT"
        }
    }

    /// The names in their order.
    static let names = allCases.map(\.name)
}

/// What a row of figures has; it changes every second, so it lies in a narrow table beside the transfer's.
enum TaskStoreFigure: Int32, CaseIterable {
    case id, received, sent, expectedToReceive, expectedToSend

    var name: String { ByteText.snakeCase("\(self)") }

    var type: String {
        switch self {
        case .id: "INTEGER PRIMARY KEY"
        case .received, .sent: "INTEGER NOT NULL"
        case .expectedToReceive, .expectedToSend: "INTEGER"
        }
    }

    /// Where a row that was read with its transfer's has it.
    var place: Int32 { Int32(TaskStoreColumn.allCases.count) + rawValue - 1 }

    /// The names in their order.
    static let names = allCases.map(\.name)
}

extension ByteText {
    /// A name of Swift's as databases write it: `partPath` as `part_path`.
    fileprivate static func snakeCase(_ name: String) -> String {
        name.utf8.reduce(into: "") { result, byte in
            let small = lowercased(byte)
            result += (small == byte ? "" : "_") + String(UnicodeScalar(small))
        }
    }
}
