import Glibc
import Testing

@testable import SessionCore

/// What a finished file keeps of its answer, and what of that a later run may ask by.
@Suite("Stamps of finished files", .timeLimit(.minutes(1)))
struct FileStampTests {
    private let temporary: StorageTemporaryFolder
    private let url = "http://h/f"
    private static let date = "Wed, 15 Nov 2023 00:00:00 GMT"
    private static let later = "Thu, 16 Nov 2023 00:00:00 GMT"

    init() throws {
        temporary = try StorageTemporaryFolder()
        try temporary.write("bytes", to: "f")
    }

    private func metadata(
        tag: String? = nil, changed: String? = nil, date: String? = later, finalURL: String = "http://h/f"
    ) -> StoredMetadata {
        var metadata = StoredMetadata(url: url, finalURL: finalURL, method: "GET", status: 200)
        (metadata.entityTag, metadata.lastModified, metadata.date) = (tag, changed, date)
        return metadata
    }

    private func stamp(_ metadata: StoredMetadata, keepsTime: Bool = false, size: Int64? = nil) {
        var target = DownloadTarget(folder: temporary.path, name: .fixed("f"))
        target.keepsRemoteTime = keepsTime
        let file = temporary.folder.open("f", flags: O_RDWR)
        defer { close(file) }
        FileMark.remove(from: file)
        FileStamp(target, url: url, evidence: .stored(metadata))?.apply(to: file, size: size)
    }

    private func copy(_ url: String = "http://h/f") -> ExistingCopy? {
        ExistingCopy("f", in: temporary.folder, url: url)
    }

    private func head(_ status: Int, _ fields: HeaderFields = [:], url: String = "http://h/f") -> ResponseHead {
        var head = ResponseHead(statusCode: status, url: url)
        for field in fields { head.headers.append(name: field.name, value: field.value) }
        return head
    }

    @Test(
        "A date of a server is a file's from 1980 to tomorrow, whatever the machine's clock says",
        arguments: [
            ("Wed, 15 Nov 2023 00:00:00 GMT", Int64(1_800_000_000), nil, 1_700_006_400),
            ("Wed, 15 Nov 2023 00:00:00 GMT", 0, Self.later, 1_700_006_400),
            ("Wed, 15 Nov 2023 00:00:00 GMT", -5_000_000_000, Self.later, 1_700_006_400),
            ("Wed, 15 Nov 2023 00:00:00 GMT", 170_000_000, nil, nil),
            ("Wed, 15 Nov 2023 00:00:00 GMT", 1_600_000_000, Self.later, nil),
            ("Wed, 15 Nov 2023 00:00:00 GMT", nil, Self.later, 1_700_006_400),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 1_800_000_000, nil, nil),
            ("Mon, 18 Jan 2038 03:14:08 GMT", 4_000_000_000, nil, 2_147_397_248),
            ("Tue, 11 Apr 2262 23:47:17 GMT", Int64.max / 1_000_000_000, nil, 9_223_372_037),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Int64.max, Self.later, 253_402_300_799),
            ("Mon, 01 Jan 0001 00:00:00 GMT", Int64.min, Self.date, nil),
        ] as [(String, Int64?, String?, Int64?)])
    func dates(date: String, now: Int64?, made: String?, seconds: Int64?) {
        #expect(FileStamp.plausible(date, made: made, now: now) == seconds)
    }

    @Test("A stamp of known size and time is the one of a file that is asked for both", arguments: [true, false])
    func knownFacts(keepsTime: Bool) throws {
        for size in [5, nil] as [Int64?] {
            stamp(metadata(tag: "\"v1\"", changed: Self.date), keepsTime: keepsTime, size: size)
            #expect(copy()?.conditions == ["If-None-Match": "\"v1\""])
        }
        stamp(metadata(tag: "\"v1\"", changed: Self.date), keepsTime: keepsTime, size: 4)
        #expect(copy()?.conditions.isEmpty == keepsTime, "the size is believed where the time is the file's own")
    }

    @Test("The server is asked by its tag, else by a date that proves something, and by nothing else")
    func validators() {
        stamp(metadata(tag: "\"v1\"", changed: Self.date))
        #expect(copy()?.conditions == ["If-None-Match": "\"v1\""])
        stamp(metadata(tag: "W/\"v1\""))
        #expect(copy()?.conditions == ["If-None-Match": "W/\"v1\""])
        stamp(metadata(changed: Self.date))
        #expect(copy()?.conditions == ["If-Modified-Since": Self.date])
        // Made within the minute of its change: it may have changed again under the same date.
        stamp(metadata(changed: Self.date, date: Self.date))
        #expect(copy()?.validator == nil)
        stamp(metadata(tag: "\"v2\""))
        #expect(copy()?.validator != nil)
        stamp(metadata())
    }

    @Test("A mirror's validator means nothing to the URL's own server")
    func mirrors() {
        var metadata = metadata(tag: "\"v1\"")
        metadata.mirrorDigest = "abc"
        stamp(metadata)
        #expect(copy()?.validator == nil)
    }

    /// What becomes of the file after it was finished.
    enum Change: String, CaseIterable {
        case nothing, edited, cut, touched, replaced, emptied
    }

    @Test(
        "A file that has changed here is not asked for by what it was, nor is it from another URL",
        arguments: Change.allCases)
    func changes(change: Change) throws {
        stamp(metadata(tag: "\"v1\""))
        #expect(copy("http://h/f?id=2")?.validator == nil)
        #expect(copy("http://h/f?id=2") != nil)
        let path = temporary.path + "/f"
        switch change {
        case .nothing: break
        case .edited: try temporary.write("other", to: "f")
        case .cut: #expect(truncate(path, 3) == 0)
        case .touched:
            let time = timespec(tv_sec: 9, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        case .replaced:
            try temporary.write("other", to: "g")
            #expect(rename(temporary.path + "/g", path) == 0)
        case .emptied: #expect(truncate(path, 0) == 0)
        }
        #expect((copy()?.validator != nil) == (change == .nothing))
    }

    @Test("A 304 counts only where it speaks of the version and the resource that is here")
    func answers() throws {
        stamp(metadata(tag: "\"v1\""))
        let tag = try #require(copy()?.validator)
        #expect(tag.judge(notModified: head(304)) == .unchanged)
        #expect(tag.judge(notModified: head(304, ["ETag": "W/\"v1\""])) == .unchanged)
        #expect(tag.judge(notModified: head(304, ["ETag": "\"v2\""])) == .other)
        #expect(tag.judge(notModified: head(304, url: "http://h/g")) == .other)
        stamp(metadata(changed: Self.date))
        let date = try #require(copy()?.validator)
        #expect(date.judge(notModified: head(304, ["Last-Modified": Self.date])) == .unchanged)
        #expect(date.judge(notModified: head(304)) == .unsaid)
        #expect(date.judge(notModified: head(304, ["Last-Modified": "Tue, 14 Nov 2023 00:00:00 GMT"])) == .other)
        #expect(date.names(head(200, ["Last-Modified": Self.date]), length: 5, size: 5))
        #expect(!date.names(head(200, ["Last-Modified": Self.date]), length: 6, size: 5))
        #expect(!date.names(head(200, ["Last-Modified": Self.later]), length: 5, size: 5))
    }

    @Test("A part's mark gives way to the stamp, and goes where there is none")
    func marks() throws {
        func part() throws -> PartFile {
            try PartFile.create(in: temporary.folder, url: url, name: .fixed("p"), finalName: "p", metadata: nil)
        }
        func mark(_ name: String) -> String? {
            let file = temporary.folder.open(name, flags: O_RDONLY)
            defer { close(file) }
            return FileMark.text(of: file)
        }
        let first = try part()
        #expect(mark(first.name) == String(decoding: FileMark.part, as: UTF8.self))
        _ = try Finisher.finish(first, finalName: "p", collision: .rename, expectedLength: nil, checksum: nil)
        #expect(mark("p") == nil)
    }
}
