import CLinux
import Testing

@testable import SessionCore

/// Downloads whose folder was read a moment ago, and that need no look of their own.
@Suite("Listing of a folder")
struct FolderListingTests {
    private let temporary: StorageTemporaryFolder
    private let folders = FolderCache()
    private let names = RunNames()
    private var now: Int64 { cl_monotonic_milliseconds() }

    init() throws { temporary = try StorageTemporaryFolder() }

    /// Reads the folder as a run of many downloads does.
    private func read(at now: Int64) throws {
        let folder = try folders.writableFolder(at: temporary.path, now: now)
        for number in 0...NameIndex.fewLookups {
            _ = try PartFile.candidates(in: folder, url: "http://h/\(number)", name: .fixed("\(number)"))
        }
    }

    private func target(_ name: String, _ collision: DownloadTarget.Collision) -> DownloadTarget {
        DownloadTarget(folder: temporary.path, name: .fixed(name), collision: collision)
    }

    private func site(_ target: DownloadTarget, url: String = "http://h/f", at now: Int64) -> DownloadSite? {
        let claim = DownloadSite.Claim(target, url: url, id: .next(), names)
        return DownloadSite.locateAtOnce(target, url: url, mayAdopt: true, claim: claim, folders: folders, now: now)
    }

    @Test("A name that was missing a moment ago needs no look", arguments: DownloadTarget.Collision.allCases)
    func missing(collision: DownloadTarget.Collision) throws {
        let now = now
        try read(at: now)
        // A download that is to fail for a file must not ask for a byte before.
        #expect((site(target("new", collision), at: now)?.finalName == "new") == (collision != .fail))
        #expect(site(DownloadTarget(folder: temporary.path, collision: collision), at: now) != nil)
    }

    @Test("A look that has waited for others asks what they have read first", arguments: [false, true])
    func waited(isShared: Bool) throws {
        let now = now
        try read(at: now)
        try temporary.write("x", to: "later")
        var later = target("later", .skip)
        later.sharesFolder = isShared
        let location = DownloadSite.locate(
            later, url: "http://h/later", resumeData: nil, isStaged: false, folders: folders,
            stagingFolder: temporary.path, now: now)
        #expect(try (location.get().existingFile != nil) == isShared, "it is looked at again at its end")
    }

    @Test("A file that is there is looked at", arguments: DownloadTarget.Collision.allCases)
    func present(collision: DownloadTarget.Collision) throws {
        try temporary.write("x", to: "f")
        let now = now
        try read(at: now)
        #expect(site(target("f", collision), at: now) == nil)
        let automatic = DownloadTarget(folder: temporary.path, collision: collision)
        #expect((site(automatic, at: now) == nil) == [.skip, .refresh, .same, .sameOrFail].contains(collision))
    }

    @Test("A folder that was never read, or longer ago, says nothing of a name")
    func old() throws {
        let now = now
        _ = try folders.writableFolder(at: temporary.path, now: now)
        #expect(site(target("new", .same), at: now) == nil)
        try read(at: now)
        #expect(site(target("new", .same), at: now + 5_000) == nil)
        let folder = try folders.folder(at: temporary.path)
        #expect(!folder.lacked("new", at: now + 5_000))
    }

    @Test("A folder is read again by a run that goes on")
    func again() throws {
        var index = NameIndex()
        let reads = (0..<40).map { _ in
            let isWorth = index.isWorthReading(at: 0)
            if isWorth { index.complete(with: FolderListing(["a"], readAt: 0)) }
            return isWorth
        }
        #expect(reads.count(where: \.self) == 1 && reads[NameIndex.fewLookups])
        let isWorthLater = index.isWorthReading(at: 2_000)
        #expect(isWorthLater)
        index.complete(with: FolderListing([String](repeating: "a", count: 1 << 17), readAt: 0))
        let isLargeRead = (0..<40).contains { _ in index.isWorthReading(at: 9_000) }
        #expect(!isLargeRead, "a folder of too many names is not read again")
    }

    @Test("Two addresses of one name, a file of this run, and a folder that others share are looked at")
    func claimed() throws {
        let now = now
        try read(at: now)
        #expect(site(target("one", .same), url: "http://h/1", at: now) != nil)
        #expect(site(target("one", .same), url: "http://h/2", at: now) == nil)
        names.take("two", in: temporary.path)
        #expect(site(target("two", .same), at: now) == nil)
        var shared = target("three", .same)
        #expect(site(shared, at: now) != nil)
        shared.sharesFolder = true
        #expect(site(shared, at: now) == nil)
    }

    @Test("A file that appears until the end stays when it has the same bytes", arguments: [true, false])
    func appeared(isSame: Bool) throws {
        let folder = try Folder(path: temporary.path)
        let body = [UInt8](repeating: 7, count: 100_000)
        var other = body
        if !isSame { other[99_999] = 8 }
        let file = try #require(UnnamedFile(in: folder, finalName: "f"))
        try file.write(other)
        #expect(try file.place(collision: .same, turn: nil, url: "http://h/f") == .given("f"))
        let later = try #require(UnnamedFile(in: folder, finalName: "f"))
        try later.write(body)
        let name = try later.place(collision: .same, turn: nil, url: "http://h/f")
        #expect(name == (isSame ? .kept("f") : .given(FileNames.numbered("f", 1))))
        #expect(try folder.names().count == (isSame ? 1 : 2))
    }

    @Test("So it is for a part", arguments: [true, false])
    func appearedBesidePart(isSame: Bool) throws {
        let folder = try Folder(path: temporary.path)
        let metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        let part = try PartFile.create(
            in: folder, url: "http://h/f", name: .fixed("f"), finalName: "f", metadata: metadata)
        try part.write("abc", at: 0)
        try temporary.write(isSame ? "abc" : "abd", to: "f")
        let file = try Finisher.finish(
            part, finalName: "f", collision: .same, expectedLength: 3, checksum: nil, announced: nil, stamp: nil,
            home: nil)
        #expect(file.wasSkipped == isSame && file.path == folder.path(of: isSame ? "f" : FileNames.numbered("f", 1)))
        #expect(try folder.names().count == (isSame ? 1 : 2))
    }
}
