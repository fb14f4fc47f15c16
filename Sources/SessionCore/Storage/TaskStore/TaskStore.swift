import CSessionSQLite

/// The database of a persistent session's transfers.
///
/// A class because it owns a connection. It belongs to one thread, its calls block until the disk has what they write,
/// and nobody else uses its files while it lives: ``TaskStoreFiles`` holds the lock.
final class TaskStore: TransferStore {
    /// A closure that receives the first transfers while the others are still being read.
    typealias Found = @Sendable ([StoredTransfer]) -> Void

    /// Transfers read at once, as many as a screen may show.
    private static let pageLength = 100

    let files: TaskStoreFiles
    let database: SQLiteDatabase
    let statements: TaskStoreStatements
    private var highestID: UInt64 = 0
    /// The number of the last commit.
    private var revision: Int64 = 0
    /// What opening has read, by number, until a change makes it old: no row is read twice.
    private var unfinished: [StoredTransfer]?

    /// Opens the store of an identifier in a folder, which is created when it is missing.
    ///
    /// A damaged file is moved aside with its log and its index, and what can be read of it makes the new one; the
    /// opening says so, with the numbers.
    ///
    /// - Parameter limits: how many transfers that have ended stay.
    static func open(
        identifier: String, folder: String, limits: Limits = Limits(), found: Found? = nil
    ) throws(SessionError) -> (store: TaskStore, opening: StoreOpening) {
        let files = try TaskStoreFiles(identifier: identifier, folder: folder)
        do throws(SQLiteFailure) {
            if let damage = files.hiddenDamage { throw SQLiteFailure(code: SQLITE_CORRUPT, message: damage) }
            return try open(files, limits: limits, found: found)
        } catch {
            guard error.isDamageOfAnOpening else { throw error.sessionError(path: files.path) }
            return try reopen(files, after: error)
        }
    }

    private static func reopen(
        _ files: TaskStoreFiles, after damage: SQLiteFailure
    ) throws(SessionError) -> (store: TaskStore, opening: StoreOpening) {
        let highestID = files.mark?.highestID ?? 0
        let aside = try files.setAside()
        let pages = StorePages(folder: files.folder, name: aside.database, log: aside.log)
        var salvage = StoreRecovery(pages, highestID: highestID)
        do throws(SQLiteFailure) {
            let (store, _) = try open(files)
            do throws(SQLiteFailure) {
                try salvage.restore(into: store)
                var opening = try store.opening()
                opening.notice = StoreErrors.salvaged(damage.message, salvage.sentence, backup: aside.database)
                return (store, opening)
            } catch {
                store.database.close()
                throw error
            }
        } catch {
            throw error.sessionError(path: files.path)
        }
    }

    private static func open(
        _ files: TaskStoreFiles, limits: Limits = Limits(), found: Found? = nil
    ) throws(SQLiteFailure) -> (store: TaskStore, opening: StoreOpening) {
        // A new store begins with its first commit, whatever an earlier one had.
        if files.isNew { files.mark = StoreCommitMarker() }
        do throws(SessionError) { try files.prepare() } catch {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: error.message, errno: error.errno ?? 0)
        }
        let database = try SQLiteDatabase(path: files.path)
        do throws(SQLiteFailure) {
            let check = StoreCheck(database: database)
            try TaskStoreSchema.prepare(database)
            try TaskStoreSchema.keepPages(true, of: database)
            try check.newest(files.mark)
            let store = TaskStore(
                files: files, database: database, statements: try TaskStoreStatements(database))
            try store.read(check, limits: limits, found: found)
            // A sort may take as much memory as there is for pages: all rows together are read without them.
            try TaskStoreSchema.keepPages(false, of: database)
            return (store, try store.opening())
        } catch {
            if error.isDamageOfAnOpening { database.abandon() } else { database.close() }
            throw error
        }
    }

    /// Shows the first rows and looks through all, in the order that is fast, and drops those beyond the limits.
    private func read(_ check: StoreCheck, limits: Limits, found: Found?) throws(SQLiteFailure) {
        let surplus = [
            try surplus("standing='completed'", keeping: limits.completed),
            try surplus(Self.failedForGood, keeping: limits.failed),
        ].compactMap(\.self)
        // Nothing is removed from a store that was not looked through.
        if let found, surplus.isEmpty { try found(firstPage()) }
        try check.rows()
        for rows in surplus { try drop(rows) }
        if let found, !surplus.isEmpty { try found(firstPage()) }
    }

    private init(files: TaskStoreFiles, database: SQLiteDatabase, statements: TaskStoreStatements) {
        self.files = files
        self.database = database
        self.statements = statements
    }

    /// How many transfers that have ended a store keeps when it is opened; nil for all of them.
    struct Limits: Sendable {
        var completed: Int?
        /// Those that have failed or were cancelled, and that nobody can go on with.
        var failed: Int?
    }

    /// What has failed or was cancelled without anything to go on with: no part, and no place of an upload.
    private static let failedForGood =
        "standing IN ('failed', 'cancelled') AND part_path IS NULL AND upload IS NULL"

    /// A query of the transfers of a kind beyond a number, those that ended longest ago; nil when there are none.
    private func surplus(_ kind: String, keeping limit: Int?) throws(SQLiteFailure) -> String? {
        guard let limit else { return nil }
        let ended = "FROM transfers WHERE \(kind)"
        let count = try database.integer("SELECT count(*) \(ended)") ?? 0
        guard count > limit else { return nil }
        return "SELECT id \(ended) ORDER BY finished_at, id LIMIT \(count - Int64(limit))"
    }

    /// Drops the transfers of a query.
    ///
    /// Where the disk does not take that they stay; a start is no reason to fail for it.
    private func drop(_ ids: String) throws(SQLiteFailure) {
        do throws(SQLiteFailure) {
            try database.transaction { () throws(SQLiteFailure) in
                try database.execute("DELETE FROM progress WHERE id IN (\(ids))")
                try database.execute("DELETE FROM transfers WHERE id IN (\(ids))")
                try statements.countCommit(adding: -database.changes)
            }
        } catch {
            if error.isDamage { throw error }
        }
    }

    /// The transfers somebody who looks at a list sees first.
    private func firstPage() throws(SQLiteFailure) -> [StoredTransfer] {
        // The narrow query sorts numbers, not whole rows.
        let order = "standing NOT IN ('unfinished', 'finishing'), wanted='paused', position, id"
        let page = "SELECT id FROM transfers ORDER BY \(order) LIMIT \(Self.pageLength)"
        return try rows(where: "t.id IN (\(page))")
    }

    private func opening() throws(SQLiteFailure) -> StoreOpening {
        let transfers = try rows(where: Self.isUnfinished)
        unfinished = transfers.sorted { $0.id < $1.id }
        var opening = StoreOpening(unfinished: transfers)
        let highest = try [
            "SELECT seq FROM sqlite_sequence WHERE name='transfers'", "SELECT max(id) FROM transfers",
        ].map { (query) throws(SQLiteFailure) in UInt64(max(try database.integer(query) ?? 0, 0)) }
        opening.highestID = max(highest[0], highest[1], files.mark?.highestID ?? 0)
        highestID = opening.highestID
        revision = try database.integer("SELECT revision FROM revisions WHERE id=1") ?? 0
        recordMark()
        return opening
    }

    // MARK: Reading

    private static let isUnfinished = "standing IN ('unfinished', 'finishing')"

    func load(after id: TransferID?, limit: Int) throws(SessionError) -> [StoredTransfer] {
        do throws(SQLiteFailure) {
            return try page(after: id?.rawValue ?? 0, limit: limit)
        } catch {
            throw error.sessionError(path: files.path)
        }
    }

    private func page(after id: UInt64, limit: Int) throws(SQLiteFailure) -> [StoredTransfer] {
        let isBehind = "t.id>\(id)"
        guard let unfinished else { return try rows(where: isBehind, page: limit) }
        // Those that opening has read already are not read again.
        let known = unfinished.lazy.filter { $0.id.rawValue > id }.prefix(limit)
        let others = try rows(where: "\(isBehind) AND NOT (\(Self.isUnfinished))", page: limit)
        return Array((known + others).sorted { $0.id < $1.id }.prefix(limit))
    }

    /// Throws a failure that counts as damage when a row means nothing.
    ///
    /// - Parameter limit: the most rows, in the order of their numbers then; nil for all in the order of a list.
    private func rows(where condition: String, page limit: Int? = nil) throws(SQLiteFailure) -> [StoredTransfer] {
        let order = limit.map { "t.id LIMIT \($0)" } ?? TaskStoreRow.listOrder
        let statement = try SQLiteStatement(database, TaskStoreRow.select(where: condition, order: order))
        var transfers: [StoredTransfer] = []
        var unreadable = 0
        while try statement.step() {
            if let transfer = TaskStoreRow.decode(statement) {
                transfers.append(transfer)
            } else {
                unreadable += 1
            }
        }
        guard unreadable > 0 else { return transfers }
        throw SQLiteFailure(code: SQLITE_CORRUPT, message: StoreReasons.unreadableRows(unreadable))
    }

    /// The numbers of rows that mean nothing.
    func unreadableRows() throws(SQLiteFailure) -> [Int64] {
        let statement = try SQLiteStatement(database, TaskStoreRow.select(where: "1"))
        var rows: [Int64] = []
        while try statement.step() {
            if TaskStoreRow.decode(statement) == nil { rows.append(statement.integer(0)) }
        }
        return rows
    }

    // MARK: Writing

    /// Applies changes in one transaction; fails when the file is no longer where the next run looks for it.
    func apply(_ changes: [TaskStoreChange]) throws(SessionError) {
        // Also after damage: SQLite sees some where a disk fails and there is none, and a later question has to hear that
        // these are not on the disk.
        do throws(SQLiteFailure) { try commit(changes) } catch { throw error.sessionError(path: files.path) }
    }

    private func commit(_ changes: [TaskStoreChange]) throws(SQLiteFailure) {
        guard !changes.isEmpty else { return }
        guard !database.hasMoved else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: StoreReasons.moved)
        }
        unfinished = nil
        try database.transaction { () throws(SQLiteFailure) in
            try statements.apply(changes)
        }
        revision += 1
        for case .add(let transfer) in changes { highestID = max(highestID, transfer.id.rawValue) }
        recordMark()
    }

    /// Writes down what is committed, so that the next opening misses what has gone until then.
    private func recordMark() { files.mark = StoreCommitMarker(revision: revision, highestID: highestID) }

    /// Brings the log into the file and frees the lock; nothing can be done with the store afterwards.
    func close() {
        statements.finalize()
        database.close()
        files.release()
    }
}

@available(*, unavailable) extension TaskStore: Sendable {}
