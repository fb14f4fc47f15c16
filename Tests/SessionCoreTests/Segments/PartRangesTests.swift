import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// What is said of a part that several connections have written.
@Suite("Ranges of a part")
struct PartRangesTests {
    private let url = "http://h/f.bin"

    @Test("Texts are read as they were written, and others refused")
    func text() {
        for ranges in [
            PartRanges(contiguousEnd: 0), PartRanges(contiguousEnd: 7, beyond: [9..<12]),
            PartRanges(contiguousEnd: 7, beyond: [9..<12, 20..<99]),
        ] {
            #expect(PartRanges(contiguousEnd: ranges.contiguousEnd, text: ranges.text()) == ranges)
        }
        for text in ["", "1", "1-", "-2", "3-3", "5-4", "8-10,9-12", "8-10,", "1-9223372036854775807", "a-b", "2-9"] {
            #expect(PartRanges(contiguousEnd: 5, text: text) == nil, "\(text)")
        }
    }

    @Test("Ranges that do not fit into a meta are left out, the shortest first, and the rest stays in order")
    func shortened() {
        let ranges = PartRanges(
            contiguousEnd: 1, beyond: (1...200).map { Int64($0) * 1_000..<Int64($0) * 1_000 + Int64($0) })
        let text = ranges.text(limit: 500)
        #expect(text.utf8.count <= 500)
        let read = PartRanges(contiguousEnd: 1, text: text)
        #expect(read?.beyond.last == ranges.beyond.last)
        #expect((read?.beyond.count ?? 0) > 20)
        let slot = PartCheckpoint(ranges: ranges, changed: 1).slot
        #expect(slot.count == PartCheckpoint.wideForm.length)
        #expect(PartCheckpoint(slots: [UInt8](repeating: 0, count: 160)[...] + slot)?.offset == 1)
    }

    private func metadata(length: Int64 = 1_000_000) -> StoredMetadata {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"1\""
        metadata.length = length
        return metadata
    }

    private func write(_ count: Int, at offset: Int64, to part: PartFile) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        try bytes.withUnsafeBytes { try part.write($0, at: offset) }
    }

    private func created(in temporary: TemporaryFolder) throws -> (Folder, PartFile) {
        let folder = try Folder(path: temporary.path)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata())
        return (folder, part)
    }

    private func adopted(_ folder: Folder) throws -> PartFile.Adopted? {
        try PartFile.adopt(in: folder, url: url, name: .fixed("f.bin"))
    }

    @Test("A part that was closed keeps its front and its ranges, and what lies between counts for nothing")
    func closed() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(100, at: 0, to: part)
        #expect(part.becomeSparse())
        try write(100, at: 5_000, to: part)
        try write(900, at: 9_000, to: part)
        try part.checkpoint(offset: 100, beyond: [5_000..<5_100])
        part.close()
        let found = try #require(try adopted(folder))
        #expect(found.validLength == 100)
        #expect(found.beyond == [5_000..<5_100])
        #expect(try found.part.size() == 5_100)
        #expect(found.byteCount == 200)
        // Without the gap it is an ordinary part again.
        try write(4_900, at: 100, to: found.part)
        try found.part.checkpoint(offset: 5_100)
        found.part.close()
        let complete = try #require(try adopted(folder))
        #expect(complete.validLength == 5_100 && complete.beyond.isEmpty)
        complete.part.close()
    }

    @Test("A pause keeps the byte that is the first of its range and the last of the part")
    func firstAndLast() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(100, at: 0, to: part)
        #expect(part.becomeSparse())
        try write(1_001, at: 5_000, to: part)
        let ranges = PartRanges(contiguousEnd: 100, beyond: [5_000..<6_001]).parted(at: [6_000])
        try part.checkpoint(offset: 100, beyond: ranges.beyond)
        #expect(part.bytes(in: 5_000..<6_001) == [UInt8](repeating: 7, count: 1_001))
        part.close()
        let found = try #require(try adopted(folder))
        #expect(found.beyond == ranges.beyond)
        found.part.close()
    }

    /// A process that is killed leaves the part in hand: this does what its end does, without a word of the writer.
    private func abandon(_ part: PartFile) { part.closeRecord() }

    @Test("After a kill only what was recorded counts, however long the file is")
    func killed() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(1_000, at: 0, to: part)
        #expect(part.becomeSparse())
        try write(100, at: 5_000, to: part)
        try part.secure(upTo: 1_000, beyond: [5_000..<5_100], with: .system)
        try write(100, at: 1_000, to: part)
        try write(900, at: 9_000, to: part)
        abandon(part)
        let name = try #require(temporary.names.first { $0.hasSuffix(".meta") })
        let meta = try #require(PartFile.readMeta(name, in: folder))
        #expect(meta.ranges == PartRanges(contiguousEnd: 1_000, beyond: [5_000..<5_100]))
        let status = try #require(FileStatus(descriptor: part.descriptor))
        let trust = PartTrust(status, meta: meta, hasChecksum: false, boot: nil)
        #expect(!trust.isTouched)
        #expect(trust.ranges == PartRanges(contiguousEnd: 1_000, beyond: [5_000..<5_100]))
    }

    @Test("After a kill what was held counts, after a power cut what was synced; who goes on with it syncs it first")
    func held() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(1_000, at: 0, to: part)
        part.hold(PartRanges(contiguousEnd: 1_000))
        #expect(part.becomeSparse())
        try write(100, at: 5_000, to: part)
        try part.secure(upTo: 1_000, beyond: [5_000..<5_100], with: .system)
        part.hold(PartRanges(contiguousEnd: 1_000, beyond: [5_000..<5_100]))
        try write(100, at: 1_000, to: part)
        part.hold(PartRanges(contiguousEnd: 1_100, beyond: [5_000..<5_100]))
        try write(900, at: 9_000, to: part)
        part.hold(PartRanges(contiguousEnd: 1_100, beyond: [5_000..<5_100, 9_000..<9_900]))
        try write(50, at: 5_100, to: part)
        abandon(part)
        let name = try #require(temporary.names.first { $0.hasSuffix(".meta") })
        var meta = try #require(PartFile.readMeta(name, in: folder))
        let status = try #require(FileStatus(descriptor: part.descriptor))
        func counted() -> PartRanges { PartTrust(status, meta: meta, hasChecksum: false, boot: .max).ranges }
        #expect(counted() == PartRanges(contiguousEnd: 1_100, beyond: [5_000..<5_100, 9_000..<9_900]))
        meta.bootIdentifier = "another"
        #expect(counted() == PartRanges(contiguousEnd: 1_000, beyond: [5_000..<5_100]))
        part.close()
        let found = try #require(try adopted(folder))
        #expect(found.byteCount == 2_100)
        #expect(found.part.syncedOffset == 1_100, "the new meta names these bytes, so they are on the disk")
        found.part.close()
    }

    @Test("Ranges that were given up count no more, neither after a kill nor after a power cut")
    func givenUp() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(1_000, at: 0, to: part)
        #expect(part.becomeSparse())
        try write(900, at: 5_000, to: part)
        let earlier = part.generation
        try part.secure(upTo: 1_000, beyond: [5_000..<5_900], with: .system)
        part.hold(PartRanges(contiguousEnd: 1_000, beyond: [5_000..<5_900]))
        part.giveUpRanges(behind: 1_000)
        let name = try #require(temporary.names.first { $0.hasSuffix(".meta") })
        func counted(isCut: Bool) throws -> PartRanges {
            var meta = try #require(PartFile.readMeta(name, in: folder))
            if isCut { meta.bootIdentifier = "another" }
            let status = try #require(FileStatus(descriptor: part.descriptor))
            return PartTrust(status, meta: meta, hasChecksum: false, boot: .max).ranges
        }
        #expect(try counted(isCut: false) == PartRanges(contiguousEnd: 1_000))
        // A checkpoint that had begun before ends now.
        try part.secure(upTo: 1_000, beyond: [5_000..<5_900], of: earlier, with: .system)
        #expect(try counted(isCut: false) == PartRanges(contiguousEnd: 1_000))
        #expect(part.rangesBeyond.count == 1)
        try part.secure(upTo: 1_000, with: .system)
        #expect(try counted(isCut: true) == PartRanges(contiguousEnd: 1_000))
        #expect(part.rangesBeyond.isEmpty)
        try write(1_000, at: 1_000, to: part)
        part.hold(PartRanges(contiguousEnd: 2_000, beyond: [8_000..<8_100]))
        try part.secure(upTo: 2_000, with: .system)
        #expect(try counted(isCut: false) == PartRanges(contiguousEnd: 2_000))
        #expect(try counted(isCut: true) == PartRanges(contiguousEnd: 2_000))
        part.close()
    }

    @Test("Held ranges are read as far as their slots are whole")
    func heldSlots() {
        let few = UnsyncedRanges(PartRanges(contiguousEnd: 10, beyond: [20..<30]))
        let many = UnsyncedRanges(PartRanges(contiguousEnd: 10, beyond: [20..<40]))
        let zeros = [UInt8](repeating: 0, count: UnsyncedRanges.form.length)
        for (bytes, expected) in [
            ([], nil), (few.slot, few), (zeros + few.slot, few), (many.slot + few.slot, many),
            (few.slot + many.slot.prefix(20), few), (zeros + zeros, nil),
        ] as [([UInt8], UnsyncedRanges?)] {
            #expect(UnsyncedRanges.areSlots(bytes[...]))
            #expect(UnsyncedRanges(slots: bytes[...]) == expected)
        }
        #expect(!UnsyncedRanges.areSlots(Array("rubbish".utf8)[...]))
        #expect(!UnsyncedRanges.areSlots((few.slot + many.slot + [0])[...]))
        let scattered = PartRanges(contiguousEnd: 1, beyond: (1...200).map { $0 * 1_000..<$0 * 1_000 + $0 })
        #expect(UnsyncedRanges(scattered).slot.count == UnsyncedRanges.form.length)
    }

    @Test("A kill before anything was recorded leaves nothing, because the size says nothing any more")
    func killedAtOnce() throws {
        let temporary = try TemporaryFolder()
        let (folder, part) = try created(in: temporary)
        try write(1_000, at: 0, to: part)
        #expect(part.becomeSparse())
        try write(900, at: 9_000, to: part)
        abandon(part)
        let name = try #require(temporary.names.first { $0.hasSuffix(".meta") })
        let meta = try #require(PartFile.readMeta(name, in: folder))
        let status = try #require(FileStatus(descriptor: part.descriptor))
        #expect(meta.ranges == PartRanges(contiguousEnd: 0))
        #expect(PartTrust(status, meta: meta, hasChecksum: false, boot: nil).ranges.byteCount == 0)
        part.close()
    }

    @Test("A meta says which ranges of a part count that several connections have written")
    func metas() throws {
        var meta = PartMeta(
            resource: metadata(), finalName: "f.bin", urlDigest: "d",
            identity: FileStatus.Identity(device: 1, inode: 2),
            syncedOffset: 10, bootIdentifier: BootIdentifier.current)
        #expect(PartMeta(decoding: meta.encoded())?.ranges == nil)
        meta.ranges = PartRanges(contiguousEnd: 10, beyond: [20..<30])
        #expect(PartMeta(decoding: meta.encoded())?.ranges == meta.ranges)
    }

    @Test("Ranges beyond the file's end are cut off, and a record of bytes behind the announced length is none")
    func beyondTheEnd() throws {
        var meta = PartMeta(
            resource: metadata(length: 100), finalName: "f.bin", urlDigest: "d",
            identity: FileStatus.Identity(device: 1, inode: 2), syncedOffset: 10,
            bootIdentifier: BootIdentifier.current)
        var raw = stat()
        (raw.st_size, raw.st_mode) = (95, S_IFREG)
        let status = FileStatus(raw)
        meta.record = PartRecord(status)
        let known = PartRanges(contiguousEnd: 10, beyond: [20..<30, 90..<100])
        for (ranges, unsynced, expected) in [
            (known, nil, PartRanges(contiguousEnd: 10, beyond: [20..<30, 90..<95])),
            (PartRanges(contiguousEnd: 10, beyond: [20..<30, 90..<300]), nil, PartRanges(contiguousEnd: 0)),
            (PartRanges(contiguousEnd: 101), nil, PartRanges(contiguousEnd: 0)),
            (
                known, PartRanges(contiguousEnd: 10, beyond: [20..<1 << 61]),
                PartRanges(contiguousEnd: 10, beyond: [20..<30, 90..<95])
            ),
            (
                known, PartRanges(contiguousEnd: 12, beyond: known.beyond),
                PartRanges(contiguousEnd: 12, beyond: [20..<30, 90..<95])
            ),
        ] as [(PartRanges, PartRanges?, PartRanges)] {
            (meta.ranges, meta.unsynced) = (ranges, unsynced)
            #expect(PartTrust(status, meta: meta, hasChecksum: false, boot: nil).ranges == expected)
        }
    }
}
