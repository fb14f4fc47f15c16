import CSessionSQLite
import SessionSupport

/// The database of a persistent session's transfers.
///
/// A class because it owns a connection. It belongs to one thread, and its calls block until their writes are durable.
/// During its lifetime no other session uses its files: ``TaskStoreFiles`` owns the lock.
final class TaskStore: TransferStore {
    /// A closure that receives the first transfers while the others are still being read.
    typealias Found = @Sendable ([StoredTransfer]) -> Void

    /// Transfers in the first batch, as many as a screen may show.
    private static let pageLength = 100

    let files: TaskStoreFiles
    let database: SQLiteDatabase
    let statements: TaskStoreStatements
    private var highestID: UInt64 = 0
    /// The number of the last commit.
    private var revision: Int64 = 0
    /// The unfinished transfers that opening has read, until the first change: no row is read twice.
    private var unfinished: [StoredTransfer]?

    /// Opens the store of an identifier in a folder, which is created when it is missing.
    ///
    /// A damaged file is moved aside with its log and its index, and its readable rows form the new store; the
    /// opening's notice has the numbers.
    ///
    /// - Parameter limits: the ended transfers to keep.
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
        // A new store starts with its first commit, whatever an earlier store's mark says.
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
            // Sorting may use as much memory as the page cache, so the cache is freed before all rows are read
            // together.
            try TaskStoreSchema.keepPages(false, of: database)
            return (store, try store.opening())
        } catch {
            if error.isDamageOfAnOpening { database.abandon() } else { database.close() }
            throw error
        }
    }

    /// Delivers the first rows, checks all rows in the fastest order, and drops the ones beyond the limits.
    private func read(_ check: StoreCheck, limits: Limits, found: Found?) throws(SQLiteFailure) {
        let surplus = [
            try surplus("standing='completed'", keeping: limits.completed),
            try surplus(Self.failedForGood, keeping: limits.failed),
        ].compactMap(\.self)
        // Rows are removed only from a store that was checked.
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

    /// The ended transfers that a store keeps when it is opened; nil for all of them.
    struct Limits: Sendable {
        var completed: Int?
        /// Failed and cancelled ones that cannot be resumed.
        var failed: Int?
    }

    /// Failed or cancelled without a part or an upload's URL to resume from.
    private static let failedForGood =
        "standing IN ('failed', 'cancelled') AND part_path IS NULL AND upload IS NULL"

    /// Returns a query of a kind's transfers beyond a limit, the earliest ended ones; nil for none.
    private func surplus(_ kind: String, keeping limit: Int?) throws(SQLiteFailure) -> String? {
        guard let limit else { return nil }
        let ended = "FROM transfers WHERE \(kind)"
        let count = try database.integer("SELECT count(*) \(ended)") ?? 0
        guard count > limit else { return nil }
        return "SELECT id \(ended) ORDER BY finished_at, id LIMIT \(count - Int64(limit))"
    }

    /// Drops the transfers of a query.
    ///
    /// If the disk refuses, they stay; opening must not fail for that.
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

    /// Returns the transfers that a list shows first.
    private func firstPage() throws(SQLiteFailure) -> [StoredTransfer] {
        // This query sorts only numbers, not full rows.
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
        // Rows that opening has read are not read again.
        let known = unfinished.lazy.filter { $0.id.rawValue > id }.prefix(limit)
        let others = try rows(where: "\(isBehind) AND NOT (\(Self.isUnfinished))", page: limit)
        return Array((known + others).sorted { $0.id < $1.id }.prefix(limit))
    }

    /// Throws a failure that counts as damage when a row is invalid.
    ///
    /// - Parameter limit: the most rows, then in order of their numbers; nil for all rows in list order.
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

    /// Returns the numbers of invalid rows, and their URLs where they have one.
    func unreadableRows() throws(SQLiteFailure) -> [(id: Int64, url: String?)] {
        let statement = try SQLiteStatement(database, TaskStoreRow.select(where: "1"))
        var rows: [(id: Int64, url: String?)] = []
        while try statement.step() {
            guard TaskStoreRow.decode(statement) == nil else { continue }
            let url = statement.text(.url).flatMap { URLScan($0).isRequestable ? $0 : nil }
            rows.append((statement.integer(0), url))
        }
        return rows
    }

    // MARK: Writing

    /// Applies changes in one transaction; throws when the file is no longer where the next run expects it.
    func apply(_ changes: [TaskStoreChange]) throws(SessionError) {
        // This also runs after reported damage: SQLite reports some when a disk fails, and a later flush must learn
        // that these changes are not on the disk.
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

    /// Records the latest commit, so that the next opening notices missing ones.
    private func recordMark() { files.mark = StoreCommitMarker(revision: revision, highestID: highestID) }

    /// Checkpoints the log into the file and releases the lock; the store is unusable afterwards.
    func close() {
        statements.finalize()
        database.close()
        files.release()
    }
}

@available(*, unavailable) extension TaskStore: Sendable {}
