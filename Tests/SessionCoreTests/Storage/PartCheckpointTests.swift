import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// What a power cut costs a download under way: bytes are brought to the disk while they flow, and the meta says how many.
@Suite("Checkpoints of a part", .timeLimit(.minutes(1)))
struct PartCheckpointTests {
    private let url = "http://h/f.bin"

    // MARK: - When

    struct Moment: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: Int64
        var milliseconds: Int64
        var isDue: Bool

        init(_ name: String, _ bytes: Int64, _ milliseconds: Int64, _ isDue: Bool) {
            (testDescription, self.bytes, self.milliseconds, self.isDue) = (name, bytes, milliseconds, isDue)
        }
    }

    static let moments = [
        Moment("nothing yet", 0, 0, false), Moment("nothing for a long time", 0, 60_000, false),
        Moment("short and small", (8 << 20) - 1, 999, false), Moment("a second", 1, 1_000, true),
        Moment("much", 8 << 20, 250, true), Moment("much at once", 1 << 30, 249, false),
        Moment("less than before", -5, 60_000, false),
    ]

    @Test("are due after 8 MiB or a second, and never four times in one", arguments: moments)
    func pace(moment: Moment) {
        let pace = CheckpointPace(offset: 100, time: 5_000)
        let isDue = pace.isDue(
            at: 100 + moment.bytes, now: 5_000 + moment.milliseconds, CheckpointPace.Limits())
        #expect(isDue == moment.isDue)
    }

    // MARK: - Text

    private static let near = PartCheckpoint(offset: 8_388_608, changed: 7)
    private static let far = PartCheckpoint(offset: 16_777_216, changed: 9)

    private static let between = [UInt8](repeating: 0, count: 160)
    private static let wide = PartCheckpoint(
        ranges: PartRanges(contiguousEnd: 100, beyond: [200..<300, 400..<1_000_000]), changed: 7)
    private static let wider = PartCheckpoint(
        ranges: PartRanges(contiguousEnd: 150, beyond: [200..<300, 350..<1_000_000]), changed: 9)

    /// What a cut may leave of two slots, and what is read from it; nil for bytes that no slot can have become.
    static let leftSlots: [(String, [UInt8], PartCheckpoint??)] = [
        ("none", [], .some(nil)),
        ("the first", near.slot, .some(near)),
        ("only the second", [UInt8](repeating: 0, count: 80) + near.slot, .some(near)),
        ("both", near.slot + far.slot, .some(far)),
        ("both, in the other order", far.slot + near.slot, .some(far)),
        ("the second torn", near.slot + far.slot.prefix(20), .some(near)),
        ("the second torn in the middle", near.slot + far.slot.prefix(12) + near.slot.dropFirst(12), .some(near)),
        ("the first overwritten in part", far.slot.prefix(14) + near.slot.dropFirst(14) + near.slot, .some(near)),
        ("zeros", [UInt8](repeating: 0, count: 160), .some(nil)),
        ("a negative offset", PartCheckpoint(offset: -1, changed: 7).slot, .some(nil)),
        ("rubbish", Array("rubbish".utf8), nil),
        ("a wide one", between + wide.slot, .some(wide)),
        ("two wide ones", between + wide.slot + wider.slot, .some(wider)),
        ("a wide one that is torn", between + wide.slot + wider.slot.prefix(30), .some(wide)),
        ("wide ones that say less", near.slot + far.slot + wide.slot, .some(far)),
        ("rubbish where a wide one should be", between + Array("rubbish".utf8), nil),
        ("too much", between + wide.slot + wider.slot + [0], nil),
    ]

    @Test("are read back as far as they are whole", arguments: leftSlots.indices)
    func slots(index: Int) {
        let (name, bytes, expected) = Self.leftSlots[index]
        #expect(PartCheckpoint.areSlots(bytes[...]) == (expected != nil), Comment(rawValue: name))
        if let expected { #expect(PartCheckpoint(slots: bytes[...]) == expected, Comment(rawValue: name)) }
    }

    // MARK: - A part

    private func part(in folder: Folder) throws -> PartFile {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 100
        return try PartFile.create(in: folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
    }

    private func write(_ count: Int, at offset: Int64, to part: PartFile) throws {
        let bytes = [UInt8](repeating: 0x61, count: count)
        try bytes.withUnsafeBytes { try part.write($0, at: offset) }
    }

    /// What a later start of the machine makes of a part as it is now.
    private func trustAfterCut(
        _ part: PartFile, _ change: (inout FileStatus) -> Void = { _ in }
    ) throws -> PartTrust {
        var meta = try #require(PartFile.readMeta(part.metaName, in: part.folder))
        meta.bootIdentifier = "another"
        var status = try #require(part.folder.status(part.name))
        change(&status)
        return PartTrust(status, meta: meta, hasChecksum: false, boot: SystemTime.now)
    }

    @Test("vouch for bytes that are on the disk, and for no others")
    func order() throws {
        let temporary = try StorageTemporaryFolder()
        let part = try part(in: temporary.folder)
        let calls = Locked<[String]>([])
        /// What the meta says while the disk is waited for.
        func seen() -> Int64 { PartFile.readMeta(part.metaName, in: part.folder)?.syncedOffset ?? -1 }
        let folder = part.folder
        let metaName = part.metaName
        let record: @Sendable (String) -> Void = { name in
            let said = PartFile.readMeta(metaName, in: folder)?.syncedOffset ?? -1
            calls.withLock { $0.append("\(name) \(said)") }
        }
        let descriptor = part.descriptor
        let disk = DiskCalls(
            sync: {
                record($0 == descriptor ? "data" : "other")
                return 0
            },
            syncMeta: {
                record($0 == descriptor ? "other" : "meta")
                return 0
            })
        try write(40, at: 0, to: part)
        #expect(try trustAfterCut(part).length == 0)
        try part.secure(upTo: 30, with: disk)
        try write(20, at: 40, to: part)
        #expect(try trustAfterCut(part) == PartTrust(length: 30, isTouched: false))
        try part.secure(upTo: 60, with: disk)
        #expect(calls.withLock { $0 } == ["data 0", "meta 30", "data 30", "meta 60"])
        #expect(try trustAfterCut(part) == PartTrust(length: 60, isTouched: false))
        try part.secure(upTo: 60, with: disk)
        // Put out of hand, it is described by a meta of its own again.
        try part.checkpoint(offset: 60)
        #expect(seen() == 60)
        try part.secure(upTo: 100, with: disk)
        #expect(seen() == 60, "a part out of hand is left alone")
    }

    @Test("count although the cut has taken the part's last changes, but not the record of them")
    func recordAhead() throws {
        let temporary = try StorageTemporaryFolder()
        let part = try part(in: temporary.folder)
        try write(40, at: 0, to: part)
        let then = try #require(part.folder.status(part.name))
        try part.secure(upTo: 40, with: .system)
        waitForClock(after: then.changed)
        try write(10, at: 40, to: part)
        let trust = try trustAfterCut(part) { ($0.size, $0.changed, $0.modified) = (40, then.changed, then.modified) }
        #expect(trust == PartTrust(length: 40, isTouched: false))
        let older = try trustAfterCut(part) { $0.changed = then.changed - 1 }
        #expect(older == PartTrust(length: 0, isTouched: true))
    }

    private func waitForClock(after time: Int64) {
        var now = timespec()
        repeat { clock_gettime(CLOCK_REALTIME_COARSE, &now) } while SystemTime.nanoseconds(now) <= time + 5_000_000
    }

    /// A disk that loses what it is told to keep.
    private static let broken = DiskCalls(
        sync: { _ in
            errno = EIO
            return -1
        },
        syncMeta: { _ in 0 })

    @Test("A disk that has lost bytes is never believed again")
    func lostBytes() throws {
        let temporary = try StorageTemporaryFolder()
        let part = try part(in: temporary.folder)
        try write(40, at: 0, to: part)
        try part.secure(upTo: 30, with: .system)
        #expect(throws: SessionError.self) { try part.secure(upTo: 40, with: Self.broken) }
        let meta = try #require(PartFile.readMeta(part.metaName, in: part.folder))
        let status = try #require(part.folder.status(part.name))
        let killed = PartTrust(status, meta: meta, hasChecksum: false, boot: nil)
        #expect(killed == PartTrust(length: 0, isTouched: true), "a process that is killed now starts again")
        #expect(throws: SessionError.self, "a hole would be left") { try write(10, at: 40, to: part) }
        #expect(throws: SessionError.self, "a second sync proves nothing") { try part.checkpoint(offset: 40) }
        #expect(throws: SessionError.self) { try part.sync() }
        part.close()
        let adopted = try #require(
            try PartFile.adopt(in: Folder(path: temporary.path), url: url, name: .fixed("f.bin")))
        #expect(adopted.validLength == 30)
        adopted.part.discard()
    }

    @Test("Nothing is written behind bytes that were lost during a pause")
    func lostInPause() throws {
        let temporary = try StorageTemporaryFolder()
        let part = try part(in: temporary.folder)
        try write(40, at: 0, to: part)
        #expect(throws: SessionError.self) { try part.checkpoint(offset: 40, with: Self.broken) }
        #expect(try part.size() == 0)
        #expect(throws: SessionError.self) { try write(10, at: 40, to: part) }
        #expect(try part.size() == 0)
        part.discard()
    }

    // MARK: - A download

    /// Records how often the disk is waited for.
    private final class Disk: Sendable {
        let syncs = Monitor((data: 0, meta: 0))
        let failure: Int32?

        init(failure: Int32? = nil) { self.failure = failure }

        var calls: DiskCalls {
            DiskCalls(
                sync: { [self] in
                    syncs.change { $0.data += 1 }
                    guard let failure else { return fsync($0) }
                    errno = failure
                    return -1
                },
                syncMeta: { [self] in
                    defer { syncs.change { $0.meta += 1 } }
                    return fdatasync($0)
                })
        }
    }

    private static let length: Int64 = 3 << 20

    private func harness(_ disk: Disk, bytes: Int64) throws -> EngineHarness {
        let limits = CheckpointPace.Limits(bytes: bytes, longest: 1 << 40, shortest: 0)
        return try EngineHarness(
            checkpoints: CheckpointLane(limits: limits, disk: disk.calls, includesMemory: true))
    }

    @Test("are made while a download is under way, and a later start of the machine goes on from there")
    func inFlight() throws {
        let server = LoopbackServer()
        try server.start()
        let gate = try server.gate(named: "late")
        server.setRoute("/file", .file(seed: 3, count: Self.length).stalling(after: 2_600_000, until: gate))
        let disk = Disk()
        let harness = try harness(disk, bytes: 1 << 20)
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        disk.syncs.wait { $0.meta > 0 ? () : nil }
        let folder = try Folder(path: harness.folder.path)
        let name = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        let safe = try #require(PartFile.readMeta(name + ".meta", in: folder)).syncedOffset
        #expect(safe >= 1 << 20)
        gate.release()
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 3, count: Self.length).bytes)
        #expect(harness.folder.names == ["file"])
    }

    @Test("are not made for a short download")
    func short() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", .file(seed: 3, count: Self.length))
        let disk = Disk()
        let harness = try harness(disk, bytes: 8 << 20)
        let id = harness.download(server.url("/file"))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(disk.syncs.withLock { $0 == (data: 0, meta: 0) })
    }

    @Test("A disk that fails meanwhile fails the download, and nothing gets its name", arguments: [EIO, ENOSPC])
    func failing(number: Int32) throws {
        let server = LoopbackServer()
        try server.start()
        let gate = try server.gate(named: "late")
        server.setRoute("/file", .file(seed: 3, count: Self.length).stalling(after: 2_600_000, until: gate))
        let harness = try harness(Disk(failure: number), bytes: 1 << 20)
        let id = harness.download(server.url("/file"))
        let error = try #require(harness.outcome(of: id)?.error)
        #expect(error.errno == number)
        #expect(harness.folder.bytes(of: "file") == nil)
        gate.release()
        server.setRoute("/file", .file(seed: 3, count: Self.length))
        let again = try EngineHarness()
        let second = again.add(
            TransferRequest(url: server.url("/file")), kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed("file"))))
        #expect(again.outcome(of: second)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 3, count: Self.length).bytes)
    }
}
