import SessionSupport

/// The columns of a stored transfer, in the order in which they are created, written and read.
enum TaskStoreColumn: Int32, CaseIterable {
    case id, position, kind, url, method, headers, bodyPath, body, idleTimeout, http2, needsCredentials
    case destination, folder, name, checksum, options, wanted, wasStarted, standing, errorCode, errorMessage
    case finishingPath, finishingDevice, finishingInode, partPath, filePath, label, createdAt, finishedAt, startedAt
    case statusCode, failedAttempts, timings, annotation, upload

    /// The name in the table: `part_path`.
    var name: String { ByteText.snakeCase("\(self)") }

    /// The column's type in the table.
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

    static let names = allCases.map(\.name)
}

/// The columns of a transfer's figures; they change every second, so they have a narrow table of their own.
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

    /// The column's index in a row that was read together with its transfer.
    var column: Int32 { Int32(TaskStoreColumn.allCases.count) + rawValue - 1 }

    static let names = allCases.map(\.name)
}

extension ByteText {
    /// Converts a Swift name to database style: `partPath` to `part_path`.
    fileprivate static func snakeCase(_ name: String) -> String {
        name.utf8.reduce(into: "") { result, byte in
            let small = lowercased(byte)
            result += (small == byte ? "" : "_") + String(UnicodeScalar(small))
        }
    }
}
