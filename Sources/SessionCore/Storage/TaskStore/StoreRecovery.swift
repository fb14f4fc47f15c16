import CSessionSQLite

/// The rows that can still be read from a damaged store without its trees: every page is examined by itself.
struct StoreRecovery {
    /// Several rows may have one number, if one of them has a damaged number.
    private var transfers: [(row: Int64, values: [SQLiteValue])] = []
    private var progress: [[SQLiteValue]] = []
    /// The highest known number of any transfer.
    private var highestID: Int64
    /// Rows that are present but incomplete.
    private(set) var unreadableRows = 0
    /// Pages with rows that cannot be read, as far as known.
    private(set) var lostPages = 0
    /// The lost transfers of which something is known, each as words.
    private var lostRows: [String] = []
    /// Transfers inserted into the new store.
    private(set) var restored = 0

    /// Reads all readable rows.
    ///
    /// - Parameter highestID: the highest number in the store's mark.
    init(_ pages: StorePages, highestID: UInt64) {
        self.highestID = Int64(bitPattern: highestID)
        var wanted: Set<Int> = []
        var found: Set<Int> = []
        // The first page describes the tables.
        for number in stride(from: 2, through: pages.count, by: 1) {
            switch pages.content(number) {
            case .branch(let children):
                found.insert(number)
                wanted.formUnion(children)
            case .leaf(let records, let unreadable):
                found.insert(number)
                unreadableRows += unreadable
                for record in records { add(record) }
            case .other: break
            case nil: wanted.insert(number)
            }
        }
        lostPages = wanted.subtracting(found).count
    }

    /// Keeps a row for its table, which is recognized by the number of columns.
    private mutating func add(_ record: StoreRecord) {
        let values = record.values
        switch (values.count, values.first) {
        case (2, .text("transfers")?):
            if case .integer(let highest) = values[1] { highestID = max(highestID, highest) }
        case (TaskStoreRow.figuresWidth, .null?):
            let counts = values.dropFirst().dropLast()
            guard counts.allSatisfy({ if case .integer(let count) = $0 { count >= 0 } else { $0 == .null } }) else {
                break
            }
            progress.append([.integer(record.row)] + values.dropFirst())
        case (TaskStoreRow.width, .null?):
            transfers.append((record.row, [.integer(record.row)] + values.dropFirst()))
        default: break
        }
    }

    /// Inserts the rows into a new store in one transaction, except invalid and changed ones.
    mutating func restore(into store: TaskStore) throws(SQLiteFailure) {
        let database = store.database
        try database.transaction { () throws(SQLiteFailure) in
            try restoreTransfers(into: database)
            for row in try store.unreadableRows() {
                try database.execute("DELETE FROM transfers WHERE id=\(row.id)")
                lostRows.append(StoreReasons.lostRow(row.id, row.url))
            }
            try restoreProgress(into: database)
            try database.execute("DELETE FROM sqlite_sequence WHERE name='transfers'")
            let highest = max(highestID, transfers.map(\.row).max() ?? 0)
            try database.execute("INSERT INTO sqlite_sequence VALUES ('transfers', \(highest))")
            try database.execute(
                "UPDATE revisions SET revision=revision+1, transfers=(SELECT count(*) FROM transfers)")
        }
        restored = Int(try database.integer("SELECT count(*) FROM transfers") ?? 0)
        unreadableRows += transfers.count - restored
    }

    private func restoreTransfers(into database: SQLiteDatabase) throws(SQLiteFailure) {
        let statement = try SQLiteStatement(database, TaskStoreRow.insertAsRead)
        for (_, values) in transfers { _ = try Self.puts(values, statement) }
    }

    private func restoreProgress(into database: SQLiteDatabase) throws(SQLiteFailure) {
        let statement = try SQLiteStatement(database, TaskStoreRow.insertCountsAsRead)
        // The figures are only displayed until the transfer resumes, so their loss is harmless.
        for values in progress { _ = try Self.puts(values, statement) }
        try database.execute("DELETE FROM progress WHERE NOT (\(TaskStoreRow.areCountsSound()))")
    }

    /// Runs a statement; false when the table refuses the values.
    private static func puts(_ values: [SQLiteValue], _ statement: SQLiteStatement) throws(SQLiteFailure) -> Bool {
        do throws(SQLiteFailure) {
            try statement.run(values)
            return true
        } catch {
            guard [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(error.code & 0xFF) else { throw error }
            return false
        }
    }

    /// The counts of restored and lost rows, as a sentence.
    var sentence: String {
        var lost: [String] = []
        if unreadableRows > 0 { lost.append(StoreReasons.lostRows(unreadableRows)) }
        if lostPages > 0 { lost.append(StoreReasons.lostPages(lostPages)) }
        guard !lost.isEmpty else { return StoreReasons.restored(restored) }
        return StoreReasons.restored(restored, lost: lost) + StoreReasons.named(lostRows)
    }
}
