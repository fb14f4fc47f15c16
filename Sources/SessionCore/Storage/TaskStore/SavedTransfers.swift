import CSessionSQLite
import Glibc
import SessionSupport

extension StoredTransfer {
    /// The transfers of every session that is saved in a folder, whoever has it open, but for one whose transfers are
    /// known; none where there is no folder.
    ///
    /// Reads beside a session that is in use, and changes nothing. Throws `storage` when one of them cannot be read in full:
    /// then nobody can tell what it needs. Blocks while the disk is read.
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
        // Its owner has written down how long the log is.
        defer { database.abandon() }
        let version = try database.integer("PRAGMA user_version") ?? 0
        // Somebody is making it, or was ended meanwhile.
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
