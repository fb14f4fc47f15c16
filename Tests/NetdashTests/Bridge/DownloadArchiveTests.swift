import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The archive of downloads: its lines, its file, and rows that are skipped for it.
@Suite("The archive of downloads", .timeLimit(.minutes(1)))
struct DownloadArchiveTests {
    private final class Place: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)").path
        var path: String { folder + "/archive" }

        init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var lines: [String] {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        func append(_ text: String) throws {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }
    }

    private func job(_ url: String, hex: String? = nil) -> Job {
        var job = Job(kind: .download, url: url)
        job.checksum = hex.map { Job.Checksum(algorithm: .md5, hex: $0) }
        return job
    }

    private let hex = String(repeating: "a", count: 32)

    @Test("A line has no secrets, and a damaged one is none")
    func lines() throws {
        let entry = ArchiveEntry(job("http://me:hush@h/a b?token=hush", hex: hex))
        let line = String(decoding: entry.line, as: UTF8.self)
        #expect(line.hasPrefix("fetched md5=\(hex) http://") && line.hasSuffix("\n"))
        #expect(!line.contains("hush"))
        #expect(ArchiveEntry(line: entry.line.dropLast()) == entry)
        #expect(entry.key == "md5=\(hex)" && entry.keys.count == 2)
        #expect(ArchiveEntry(job("http://h/a")).key == "http://h/a")
        #expect(ArchiveEntry(line: entry.line.dropLast(3)) == nil)
        #expect(ArchiveEntry(line: Array(line.replacing("http:", with: "https:").utf8)) == nil)
    }

    @Test("What one program adds another one finds, by the checksum where there is one, and a cut line harms no other")
    func twoPrograms() throws {
        let place = try Place()
        let (one, other) = (DownloadArchive(path: place.path), DownloadArchive(path: place.path))
        #expect(!one.contains(job("http://h/a")))
        one.add(job("http://h/a", hex: hex))
        one.finish()
        #expect(other.contains(job("http://h/a")) && other.contains(job("http://other/b", hex: hex)))
        #expect(!other.contains(job("http://h/a", hex: String(repeating: "b", count: 32))))
        try place.append("fetched - http://h/cut")
        other.add(job("http://h/c"))
        other.finish()
        #expect(one.contains(job("http://h/c")) && !one.contains(job("http://h/cut")))
        #expect(DownloadArchive(path: place.path).contains(job("http://h/c")))
        #expect(place.lines.count == 3)
    }

    @Test("Many programs append at once, and each line is complete")
    func crowd() throws {
        let place = try Place()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let archive = DownloadArchive(path: place.path)
            for index in 0..<50 { archive.add(job("http://h/\(number)/\(index)")) }
            archive.finish()
        }
        #expect(place.lines.count == 400)
        #expect(place.lines.allSatisfy { ArchiveEntry(line: $0.utf8) != nil })
    }

    @Test("A file that cannot be opened skips nothing and is complained of")
    func unusable() {
        let archive = DownloadArchive(path: "/nowhere/archive")
        archive.add(job("http://h/a"))
        #expect(archive.complaint?.string.contains("/nowhere/archive") == true)
    }

    @Test("A row whose download is in the archive is skipped without a request, and a user may fetch it again")
    func rows() throws {
        let place = try Place()
        let fixture = try BridgeFixture { $0.service.archivePath = place.path }
        let (bridge, observer) = (fixture.bridge, fixture.observer)
        defer { fixture.end() }
        fixture.server.setRoute("/file", .file(seed: 1, count: 10))
        var job = fixture.job(.download, "/file")
        _ = bridge.add([job])
        try #require(observer.waitForEnds(1))
        job.output = .name("other")
        let ids = bridge.add([job]).added
        try #require(observer.waitForEnds(2))
        #expect(fixture.server.requests.count == 1)
        #expect(bridge.figures(of: ids).map(\.state) == [.done])
        #expect(bridge.figures(of: ids).map(\.wasSkipped) == [true])
        bridge.send(.fetchAgain(ids))
        try #require(observer.waitForEnds(3))
        #expect(fixture.server.requests.count == 2)
        #expect(bridge.figures(of: ids).map(\.wasSkipped) == [false])
    }

    @Test("A row that its user stops while the archive is read, or a task is made, stays as it is")
    func stopped() throws {
        let place = try Place()
        let fixture = try BridgeFixture { $0.service.archivePath = place.path }
        let (bridge, observer) = (fixture.bridge, fixture.observer)
        defer { fixture.end() }
        func admission(_ path: String) throws -> RowAdmission {
            var job = fixture.job(.download, path)
            job.startsPaused = true
            let id = try #require(bridge.add([job]).added.first)
            let key = try #require(bridge.row(id)).queueKey
            return RowAdmission(id: id, job: job, queueKey: key, revision: 0)
        }
        let (paused, cancelled) = (try admission("/paused"), try admission("/cancelled"))
        bridge.send(.cancel([cancelled.id], deletingParts: false))
        try #require(observer.waitForEnds(1))
        bridge.skip(paused)
        for row in [cancelled, cancelled] { bridge.skip(row) }
        bridge.fail(cancelled.id, TransferFailure(kind: "x", category: .disk, message: "full"))
        #expect(bridge.figures(of: [paused.id, cancelled.id]).map(\.state) == [.paused, .cancelled])
        #expect(observer.events.filter(\.isEnd).count == 1 && !bridge.isIdle)
        bridge.send(.remove([cancelled.id], deletingParts: false))
        try #require(observer.waitForRemoved([cancelled.id]))
        bridge.skip(cancelled)
        bridge.fail(cancelled.id, TransferFailure(kind: "x", category: .disk, message: "full"))
        #expect(observer.events.filter(\.isEnd).count == 1 && !bridge.isIdle)
        bridge.send(.cancel([paused.id], deletingParts: false))
        try #require(observer.waitForEnds(2))
        #expect(bridge.isIdle)
    }
}
