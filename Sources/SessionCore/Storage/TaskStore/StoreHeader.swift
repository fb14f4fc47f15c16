/// The header of a store's database file, whose bytes are mostly equal in every store of this version.
struct StoreHeader: Sendable {
    private static let length = 100

    let fileSize: Int64
    private let bytes: [UInt8]?

    /// Reads the header from a descriptor.
    init(descriptor: Int32, fileSize: Int64) {
        self.fileSize = fileSize
        bytes = StoreLog.read(descriptor, Self.length, at: 0)
    }

    private var pageSize: Int? {
        guard let bytes else { return nil }
        let raw = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = raw == 1 ? 65_536 : raw
        return StorePages.isPageSize(size) ? size : nil
    }

    /// True if the last page is incomplete.
    var endsInsidePage: Bool { pageSize.map { fileSize % Int64($0) != 0 } ?? true }

    /// Returns whether a store of this version can have this header.
    ///
    /// - Parameter withoutLog: true if the file has every page; else the first page may still belong to a store
    ///   without tables.
    func isOurs(withoutLog: Bool) -> Bool {
        guard let bytes, bytes.starts(with: "SQLite format 3\0".utf8), pageSize != nil else { return false }
        // Another program may have switched the file to a rollback journal (1).
        guard bytes[18] == bytes[19], (1...2).contains(bytes[18]), bytes[21...23] == [64, 32, 32] else { return false }
        guard withoutLog else { return true }
        return StoreLog.number(bytes, 44) == 4 && StoreLog.number(bytes, 56) == 1
            && StoreLog.number(bytes, 60) == UInt32(TaskStoreSchema.version)
            && StoreLog.number(bytes, 68) == UInt32(TaskStoreSchema.applicationID)
    }
}
