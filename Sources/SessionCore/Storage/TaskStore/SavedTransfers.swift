import CSessionSQLite
import Glibc
import SessionSupport

/// The transfers of the saved sessions in a folder.
package struct SavedTransfers: Sendable {
    /// The readable transfers, also of sessions that cannot be read completely.
    package private(set) var transfers: [StoredTransfer] = []
    /// The sessions that cannot be read completely, whose further needs are unknown, and why.
    package private(set) var failures: [SessionError] = []

    /// Reads every session, even sessions in use, except the given one; a missing folder has none.
    ///
    /// Changes no session. Throws when the folder cannot be read. Blocks while the disk is read.
    package init(in storeFolder: String, except identifier: String? = nil) throws(SessionError) {
        let folder: Folder
        do throws(SessionError) {
            folder = try Folder(path: storeFolder, creating: false)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return
        }
        for name in try folder.names().sorted()
        where name.hasSuffix(".sqlite") && name != identifier.map({ $0 + ".sqlite" }) {
            let path = folder.path(of: name)
            do throws(SQLiteFailure) {
                try read(path)
            } catch {
                failures.append(error.sessionError(path: path))
            }
        }
    }

    private mutating func read(_ path: String) throws(SQLiteFailure) {
        let database = try SQLiteDatabase(path: path, onlyReads: true)
        // The owner records the log's length, so the log stays as it is.
        defer { database.abandon() }
        let version = try database.integer("PRAGMA user_version") ?? 0
        // Version 0 means that the store is being created, or that its creation was interrupted.
        guard version > 0 else { return }
        guard version == TaskStoreSchema.version else { throw TaskStoreSchema.otherVersion(SQLITE_ERROR) }
        let statement = try SQLiteStatement(database, TaskStoreRow.select(where: "1"))
        var unreadable = 0
        while try statement.step() {
            if let transfer = TaskStoreRow.decode(statement) {
                transfers.append(transfer)
            } else {
                unreadable += 1
            }
        }
        guard unreadable == 0 else {
            throw SQLiteFailure(code: SQLITE_CORRUPT, message: StoreReasons.unreadableRows(unreadable))
        }
    }
}

extension StoredTransfer {
    /// Returns the transfers of every saved session in a folder except the given one.
    ///
    /// Throws `storage` when one of them cannot be read completely, because its needs are then unknown.
    package static func saved(
        in storeFolder: String, except identifier: String? = nil
    ) throws(SessionError) -> [StoredTransfer] {
        let saved = try SavedTransfers(in: storeFolder, except: identifier)
        if let failure = saved.failures.first { throw failure }
        return saved.transfers
    }
}
