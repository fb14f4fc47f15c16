import Testing

@testable import SessionCore

/// How much of a part counts, by what it looks like and what its meta says.
@Suite("Trust in a part")
struct PartTrustTests {
    private static let second: Int64 = 1_000_000_000
    /// When the machine was started, and when the part was looked at last, in nanoseconds.
    private static let boot = 1_000 * second
    private static let noted = 2_000 * second

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var isOpen = true
        var isSameBoot = true
        var change: PartRecord.Change?
        var size: Int64 = 500
        var modified = PartTrustTests.noted
        var changed = PartTrustTests.noted
        /// When the meta's own look was, in seconds.
        var notedAt = PartTrustTests.noted
        var hasRecord = true
        var length: Int64
        var isTouched = false
        /// What counts when a checksum proves the whole file in the end.
        var provenLength: Int64?
        var testDescription: String { name }
    }

    private static let write = PartRecord.Change(began: noted + second, size: 800)
    private static let mode = PartRecord.Change(began: noted + second, size: 500)
    private static let soon = noted + second + 1_000_000
    private static let tickBehind = noted + second - 9_000_000
    private static let late = noted + second + 6_000_000

    static let cases: [Case] = [
        Case(name: "as it was put out of hand", isOpen: false, length: 500),
        Case(name: "as it was last in hand", length: 500),
        Case(
            name: "edited after it was put out of hand", isOpen: false, modified: late, changed: late, length: 0,
            isTouched: true, provenLength: 500),
        Case(
            name: "edited with its time restored", isOpen: false, changed: late, length: 0, isTouched: true,
            provenLength: 500),
        Case(
            name: "edited with a clock that was set back", isOpen: false, modified: noted - 1, changed: noted - 1,
            length: 0, isTouched: true, provenLength: 500),
        Case(name: "grown from outside", isOpen: false, size: 501, length: 0, isTouched: true, provenLength: 501),
        Case(name: "shorter than what is safe", isOpen: false, size: 299, length: 0, isTouched: true, provenLength: 0),
        Case(name: "longer than the file", size: 1_001, length: 0, isTouched: true, provenLength: 0),
        Case(name: "killed before the write it announced", change: write, length: 500),
        Case(
            name: "killed in the write it announced", change: write, size: 600, modified: soon, changed: soon,
            length: 600),
        Case(
            name: "killed after the write it announced", change: write, size: 800, modified: soon, changed: soon,
            length: 800),
        Case(
            name: "written with a clock a tick behind", change: write, size: 800, modified: tickBehind,
            changed: tickBehind, length: 800),
        Case(
            name: "edited after a kill", change: write, size: 800, modified: late, changed: late, length: 0,
            isTouched: true, provenLength: 800),
        Case(
            name: "edited after a kill, time restored", change: write, size: 800, modified: soon, changed: late,
            length: 0, isTouched: true, provenLength: 800),
        Case(
            name: "edited at once, time restored to another", change: write, size: 800, modified: noted - 5,
            changed: soon, length: 0, isTouched: true, provenLength: 800),
        Case(
            name: "longer than the write it announced", change: write, size: 801, modified: soon, changed: soon,
            length: 0, isTouched: true, provenLength: 801),
        Case(
            name: "a write that was announced and then put out of hand", isOpen: false, change: write, size: 800,
            modified: soon, changed: soon, length: 0, isTouched: true, provenLength: 800),
        Case(name: "killed after its mode was changed", change: mode, changed: soon, length: 500),
        Case(name: "nothing vouches for it", hasRecord: false, length: 0, isTouched: true, provenLength: 500),
        Case(
            name: "the machine was started again in order", isOpen: false, isSameBoot: false, modified: boot - 10,
            changed: boot - 10, notedAt: boot - 10, length: 300),
        Case(
            name: "the power was cut while it was written", isSameBoot: false, modified: boot - 10,
            changed: boot - 10, notedAt: boot - second, length: 300),
        Case(
            name: "edited since the power was cut", isSameBoot: false, modified: boot + 10, changed: boot + 10,
            notedAt: boot - second, length: 0, isTouched: true, provenLength: 300),
        Case(
            name: "edited before the power was cut, out of hand", isOpen: false, isSameBoot: false,
            modified: boot - 10, changed: boot - 10, notedAt: boot - second, length: 0, isTouched: true,
            provenLength: 300),
        Case(
            name: "older than what was noted of it", isSameBoot: false, modified: boot - 20, changed: boot - 20,
            notedAt: boot - 10, length: 0, isTouched: true, provenLength: 300),
    ]

    private func status(_ scenario: Case) throws -> FileStatus {
        let folder = try StorageTemporaryFolder()
        try folder.write("", to: "any")
        var status = try #require(folder.folder.status("any"))
        (status.size, status.modified, status.changed) = (scenario.size, scenario.modified, scenario.changed)
        return status
    }

    @Test("counts what nobody else can have changed", arguments: cases)
    func trust(scenario: Case) throws {
        var metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        metadata.length = 1_000
        let record = PartRecord(
            size: 500, modified: scenario.notedAt, changed: scenario.notedAt, change: scenario.change)
        let meta = PartMeta(
            resource: metadata, finalName: "f", urlDigest: "", identity: FileStatus.Identity(device: 1, inode: 1),
            syncedOffset: 300, bootIdentifier: scenario.isSameBoot ? BootIdentifier.current : "another",
            record: scenario.hasRecord ? record : nil, isOpen: scenario.isOpen)
        let status = try status(scenario)
        let trust = PartTrust(status, meta: meta, hasChecksum: false, boot: Self.boot)
        #expect(trust == PartTrust(length: scenario.length, isTouched: scenario.isTouched))
        let proven = PartTrust(status, meta: meta, hasChecksum: true, boot: Self.boot)
        #expect(proven.length == scenario.provenLength ?? scenario.length)
        #expect(proven.isTouched == scenario.isTouched)
    }

    @Test("Nothing is taken for older than the machine when its clocks cannot be read")
    func noClock() throws {
        let scenario = try #require(Self.cases.first { $0.name.hasPrefix("the power was cut") })
        let meta = PartMeta(
            resource: StoredMetadata(url: "", finalURL: "", method: "GET", status: 200), finalName: "f", urlDigest: "",
            identity: FileStatus.Identity(device: 1, inode: 1), syncedOffset: 300, bootIdentifier: "another",
            record: PartRecord(size: 5, modified: 0, changed: 0), isOpen: true)
        #expect(try PartTrust(status(scenario), meta: meta, hasChecksum: false, boot: nil).isTouched)
    }
}
