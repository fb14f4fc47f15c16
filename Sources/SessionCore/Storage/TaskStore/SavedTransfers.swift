import CSessionSQLite
import Glibc
import SessionSupport

extension StoredTransfer {
    /// Returns the transfers of every session saved in a folder, even of sessions in use, except the given one; none
    /// for a missing folder.
    ///
    /// Reads without changing a session that is in use. Throws `storage` when one of them cannot be read completely,
    /// because its needs are then unknown. Blocks while the disk is read.
    package static func saved(
        in storeFolder: String, except identifier: String? = nil
    ) throws(SessionError) -> [StoredTransfer] {
        let folder: Folder
        do throws(SessionError) {
            folder = try Folder(path: storeFolder, creating: false)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return []
        }
        var transfers: [StoredTransfer] = []
        for name in try folder.names().sorted()
        where name.hasSuffix(".sqlite") && name != identifier.map({ $0 + ".sqlite" }) {
            let path = folder.path(of: name)
            do throws(SQLiteFailure) {
                transfers += try rows(of: path)
            } catch {
                throw error.sessionError(path: path)
            }
        }
        return transfers
    }

    private static func rows(of path: String) throws(SQLiteFailure) -> [StoredTransfer] {
        let database = try SQLiteDatabase(path: path, onlyReads: true)
        // The owner records the log's length, so the log stays as it is.
        defer { database.abandon() }
        let version = try database.integer("PRAGMA user_version") ?? 0
        // Version 0 means that the store is being created, or that its creation was interrupted.
        guard version > 0 else { return [] }
        guard version == TaskStoreSchema.version else { throw TaskStoreSchema.otherVersion(SQLITE_ERROR) }
        let statement = try SQLiteStatement(database, TaskStoreRow.select(where: "1"))
        var transfers: [StoredTransfer] = []
        while try statement.step() {
            guard let transfer = TaskStoreRow.decode(statement) else {
                throw SQLiteFailure(code: SQLITE_CORRUPT, message: StoreReasons.unreadableRow)
            }
            transfers.append(transfer)
        }
        return transfers
    }
}
