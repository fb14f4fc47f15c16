import FuzzTestSupport
import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// Files that an earlier run has left, changed at random: none traps or takes for ever, whatever is in it.
@Suite("Files of earlier runs changed at random", .timeLimit(.minutes(Fuzzing.minutes)))
struct FuzzedFilesTests {
    private static func meta() -> [UInt8] {
        var metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 1_000
        let meta = PartMeta(
            resource: metadata, finalName: "f", urlDigest: "00", identity: FileStatus.Identity(device: 1, inode: 2),
            syncedOffset: 300, bootIdentifier: "boot", record: PartRecord(size: 500, modified: 1, changed: 2),
            isOpen: true)
        let record = PartRecord(size: 600, modified: 3, changed: 4, change: PartRecord.Change(began: 5, size: 700))
        let slot = PartCheckpoint(offset: 400, changed: 6).slot
        return meta.encoded() + record.line + slot + slot
    }

    @Test("Metas of parts")
    func metas() throws {
        let complete = Self.meta()
        let folder = try StorageTemporaryFolder()
        try folder.write("", to: "any")
        let status = try #require(folder.folder.status("any"))
        let end = try #require(complete.firstRange(of: Array("\nsum ".utf8))).upperBound + 17
        let fuzzing = Fuzzing(
            "metas", bytes: [complete, Array(complete[..<end])],
            words: ["live ", "safe ", "sum ", "\n", "synced ", "-9", "%2F"])
        #expect(
            fuzzing.failures { bytes, random in
                // Mostly with a right sum, or nothing behind it would ever be read.
                var bytes = bytes
                if random.number(below: 3) > 0, let mark = bytes.firstRange(of: Array("\nsum ".utf8)) {
                    let sum = PartMetaSum.line(over: bytes[...mark.lowerBound])
                    bytes.replaceSubrange(
                        mark.upperBound..<min(mark.upperBound + 17, bytes.count), with: sum)
                }
                guard let meta = PartMeta(decoding: bytes) else { return nil }
                guard Folder.isComponent(meta.finalName), meta.syncedOffset >= 0 else {
                    return "a wrong name or offset"
                }
                var seen = status
                (seen.size, seen.modified, seen.changed) = (500, 1, 2)
                for boot in [nil, 10] as [Int64?] {
                    let trust = PartTrust(seen, meta: meta, hasChecksum: random.number(below: 2) == 0, boot: boot)
                    guard (0...500).contains(trust.length) else { return "more trust than bytes: \(trust)" }
                }
                return nil
            } == [])
    }

    /// A store with rows in the file, rows in the log alone, and rows that are longer than a page.
    private static func image() throws -> (database: [UInt8], log: [UInt8]) {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        let long = String(repeating: "long/", count: 2_000)
        try store.apply(
            (1...40).map { number in
                .add(StoreFixture.transfer(number) { if number % 9 == 0 { $0.request.url += long } })
            })
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for number in UInt64(41)...44 { try store.apply([.add(StoreFixture.transfer(number))]) }
        let folder = try Folder(path: fixture.path, creating: false)
        func bytes(_ name: String) throws -> [UInt8] {
            let file = folder.open(name, flags: O_RDONLY)
            try #require(file >= 0)
            defer { close(file) }
            return try SmallFile.read(file, limit: 64 << 20, path: name)
        }
        return (try bytes("test.sqlite"), try bytes("test.sqlite-wal"))
    }

    /// Rows as pages hold them that once ended the process, or might.
    private static let cells: [[UInt8]] = [
        // The row's head says that it ends before its own length does.
        [4, 1, 0x80, 0x01, 0, 0], [3, 1, 0x81, 0x00, 0], [5, 1, 1, 0, 0, 0, 0], [5, 1, 5, 0x0D, 0, 0, 0],
        [0xFF, 0xFF, 0xFF, 0x7F, 1, 2, 3], [9, 1, 9, 6, 6, 6, 6, 6, 6, 6, 6],
    ]

    /// A page of a table's rows with one row.
    private static func page(_ cell: [UInt8], of size: Int) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: size)
        let offset = size - cell.count - 40
        page[0] = 0x0D
        page[4] = 1
        (page[5], page[6]) = (UInt8(offset >> 8), UInt8(offset & 0xFF))
        (page[8], page[9]) = (page[5], page[6])
        page.replaceSubrange(offset..<offset + cell.count, with: cell)
        return page
    }

    @Test("Pages and rows of stores")
    func pages() throws {
        let (database, log) = try Self.image()
        let size = 4_096
        // What stands in front: the header and the tables.
        let beginning = Array(database.prefix(size * 2))
        let pages = stride(from: size, to: database.count, by: size).map { Array(database[$0..<$0 + size]) }
        let rows = pages.filter { [0x0D, 0x05].contains($0[0]) }
        let folder = try StorageTemporaryFolder()
        let fuzzing = Fuzzing("pages", bytes: Self.cells.map { Self.page($0, of: size) } + rows)
        #expect(
            try fuzzing.failures(share: 0.2) { bytes, random in
                var page = Array(bytes.prefix(size))
                page += [UInt8](repeating: 0, count: size - page.count)
                // Numbers of the page's head and its row pointers lead everywhere.
                for _ in 0...random.number(below: 4) {
                    page[random.number(below: 24)] = UInt8(random.number(below: 256))
                }
                if random.number(below: 2) == 0 { page[0] = 0x0D }
                try folder.put(beginning + page + page, to: "store")
                var salvage = StoreRecovery(StorePages(folder: folder.folder, name: "store", log: "none"), highestID: 7)
                _ = salvage.sentence
                guard random.number(below: 60) == 0 else { return nil }
                let fixture = try StoreFixture()
                let (store, _) = try fixture.open()
                defer { store.close() }
                try salvage.restore(into: store)
                return try store.all().count == salvage.restored ? nil : "other rows than were counted"
            } == [])
        let files = Fuzzing("stores", bytes: [database, log])
        #expect(
            try files.failures(share: 0.1) { bytes, random in
                let isLog = bytes.starts(with: log.prefix(4))
                try folder.put(isLog ? database : bytes, to: "store")
                try folder.put(isLog ? bytes : log, to: "log")
                let salvage = StoreRecovery(StorePages(folder: folder.folder, name: "store", log: "log"), highestID: 7)
                return salvage.sentence.isEmpty ? "no sentence" : nil
            } == [])
    }
}

extension StorageTemporaryFolder {
    /// Replaces the bytes of a file.
    fileprivate func put(_ bytes: [UInt8], to name: String) throws {
        let file = folder.open(name, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        try #require(file >= 0)
        defer { close(file) }
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
}

/// The sum of a meta's text, as it stands in the last line.
private enum PartMetaSum {
    static func line(over bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array((StableHash.hexadecimal(bytes) + "\n").utf8)
    }
}
