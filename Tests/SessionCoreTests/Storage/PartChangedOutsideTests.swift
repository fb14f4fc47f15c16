import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import SessionCore

/// An earlier run has left a part, and something else changes it before the next run, or while this one has it.
///
/// Whatever was done to it, the file must have the server's bytes, or no file may be there.
@Suite("Parts that something else has changed", .timeLimit(.minutes(1)))
struct PartChangedOutsideTests {
    /// What is done to a part.
    enum Deed: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case nothing
        case editedInPlace
        case editedWithTimeRestored
        case editedThroughAMapping
        case truncatedAndRefilled
        case touched
        case modeChanged
        case linkedAndUnlinked
        case replacedByRename
        case copiedWithItsMeta

        var testDescription: String { rawValue }
    }

    static let length: Int64 = 1_048_576
    static let partSize: Int64 = 400_000
    let server: LoopbackServer
    let harness: EngineHarness
    let content = DeterministicContent(seed: 31, count: length)

    init() throws {
        server = LoopbackServer()
        try server.start()
        harness = try EngineHarness { $0.holdTimeout = 0.01 }
        server.setRoute("/file", .file(seed: 31, count: Self.length))
    }

    // MARK: - Leaving and changing a part

    /// Leaves a part: put in order, or as a process leaves it that is killed.
    private func leavePart(killed: Bool) throws -> String {
        let url = server.url("/file")
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"31-\(Self.length)\""
        metadata.length = Self.length
        metadata.contentType = "application/octet-stream"
        let folder = try Folder(path: harness.folder.path)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("file"), finalName: "file", metadata: metadata)
        let bytes = content.bytes(in: 0..<Self.partSize)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        let path = part.path
        // A part that is let go of without a word is left as by a kill.
        if !killed { try part.checkpoint(offset: Self.partSize) }
        return path
    }

    private func edit(_ path: String, flags: Int32 = 0) throws {
        let file = open(path, O_RDWR | O_CLOEXEC | flags)
        try #require(file >= 0)
        defer { close(file) }
        #expect(pwrite(file, "evil", 4, 1_000) == 4)
    }

    private func setTimes(_ path: String, _ access: timespec, _ modified: timespec) {
        var times = [access, modified]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    private func perform(_ deed: Deed, on path: String) throws {
        // As long as nobody is in a hurry: what happens within the same tick of the clock cannot be told from it.
        waitForClock(path)
        var before = stat()
        #expect(stat(path, &before) == 0)
        switch deed {
        case .nothing: break
        case .editedInPlace: try edit(path)
        case .editedWithTimeRestored:
            try edit(path)
            setTimes(path, before.st_atim, before.st_mtim)
        case .editedThroughAMapping:
            let file = open(path, O_RDWR | O_CLOEXEC)
            try #require(file >= 0)
            let memory = try #require(mmap(nil, 8_192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
            memory.storeBytes(of: 0x65, toByteOffset: 1_000, as: UInt8.self)
            #expect(msync(memory, 8_192, MS_SYNC) == 0 && munmap(memory, 8_192) == 0)
            close(file)
        case .truncatedAndRefilled:
            #expect(truncate(path, 0) == 0)
            try harness.folder.write(
                [UInt8](repeating: 7, count: Int(Self.partSize)), to: String(path.split(separator: "/").last ?? ""),
                inPlace: true)
        case .touched: #expect(utimensat(AT_FDCWD, path, nil, 0) == 0)
        case .modeChanged: #expect(chmod(path, 0o640) == 0)
        case .linkedAndUnlinked:
            #expect(link(path, path + ".second") == 0 && unlink(path + ".second") == 0)
        case .replacedByRename:
            try harness.folder.write([UInt8](repeating: 7, count: Int(Self.partSize)), to: "other")
            #expect(rename(harness.folder.path + "/other", path) == 0)
        case .copiedWithItsMeta:
            let bytes = try #require(harness.folder.bytes(of: String(path.split(separator: "/").last ?? "")))
            try harness.folder.write(bytes, to: "copy")
            setTimes(harness.folder.path + "/copy", before.st_atim, before.st_mtim)
            #expect(rename(harness.folder.path + "/copy", path) == 0)
        }
    }

    /// Waits until the clock that the kernel puts on files has moved well beyond a file's time.
    private func waitForClock(_ path: String) {
        var status = stat()
        var now = timespec()
        #expect(stat(path, &status) == 0)
        repeat {
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
        } while (now.tv_sec - status.st_ctim.tv_sec) * 1_000_000_000 + now.tv_nsec - status.st_ctim.tv_nsec
            < 25_000_000
    }

    private var asksForRange: Bool { server.requests(for: "/file").contains { $0.header("Range") != nil } }

    // MARK: - Between runs

    @Test("are not continued", arguments: Deed.allCases, [false, true])
    func betweenRuns(deed: Deed, killed: Bool) throws {
        let path = try leavePart(killed: killed)
        try perform(deed, on: path)
        let id = harness.download(server.url("/file"))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(asksForRange == (deed == .nothing))
        let isOurs = ![.nothing, .replacedByRename, .copiedWithItsMeta].contains(deed)
        #expect(harness.restarts(of: id).isEmpty != isOurs, "whose own part is given up is told")
    }

    @Test("are continued where a checksum proves the whole file", arguments: [Deed.touched, .modeChanged])
    func proven(deed: Deed) throws {
        let path = try leavePart(killed: false)
        try perform(deed, on: path)
        let digest = try Digest.of(content.bytes, .sha256)
        let id = harness.download(server.url("/file")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: digest)
        }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(asksForRange)
    }

    @Test("are found out by a checksum when they were continued")
    func disproven() throws {
        let path = try leavePart(killed: false)
        try perform(.editedInPlace, on: path)
        let digest = try Digest.of(content.bytes, .sha256)
        let id = harness.download(server.url("/file")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: digest)
        }
        #expect(harness.outcome(of: id)?.error?.code == .checksum)
        #expect(harness.folder.bytes(of: "file") == nil)
    }

    // MARK: - Within a run

    @Test("start again after a pause", arguments: [Deed.nothing, .editedInPlace, .editedWithTimeRestored])
    func duringPause(deed: Deed) throws {
        let gate = try server.gate(named: "middle")
        server.setRoute(
            "/file",
            .sequence([
                Behaviour.file(seed: 31, count: Self.length).stalling(after: Self.partSize, until: gate),
                .file(seed: 31, count: Self.length),
            ]))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(Self.partSize, id))
        harness.suspend(id)
        #expect(server.waitForFinishedRequests(count: 1))
        let name = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        try waitUntilRecorded(name)
        try perform(deed, on: harness.folder.path + "/" + name)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
        #expect(asksForRange == (deed == .nothing))
        #expect(harness.restarts(of: id).isEmpty == (deed == .nothing))
        gate.release()
    }

    /// Waits until the meta says how much of the part is safe: then the pause has put it in order.
    private func waitUntilRecorded(_ name: String) throws {
        let folder = try Folder(path: harness.folder.path)
        while PartFile.readMeta(name + ".meta", in: folder)?.syncedOffset != Self.partSize { sched_yield() }
    }

    @Test("do not become a file while they are written", arguments: [Deed.nothing, .editedInPlace])
    func duringTransfer(deed: Deed) throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", .file(seed: 31, count: Self.length).stalling(after: Self.partSize, until: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(Self.partSize, id))
        harness.waitForStorage(of: id)
        let name = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        try perform(deed, on: harness.folder.path + "/" + name)
        gate.release()
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.code.rawValue == (deed == .nothing ? nil : "partChanged"))
        #expect(harness.folder.bytes(of: "file") == (deed == .nothing ? content.bytes : nil))
        guard deed != .nothing else { return }
        let again = harness.download(server.url("/file"))
        #expect(harness.outcome(of: again)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == content.bytes)
    }

    @Test("are told as removed when they were, and leave no meta", arguments: [false, true])
    func removedDuringTransfer(withFolder: Bool) throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", .file(seed: 31, count: Self.length).stalling(after: Self.partSize, until: gate))
        let folder = harness.folder.path + "/own"
        let id = harness.download(server.url("/file")) { $0.folder = folder }
        harness.resume(id)
        #expect(harness.waitForReceived(Self.partSize, id))
        harness.waitForStorage(of: id)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let part = folder + "/" + (try #require(names.first { $0.hasSuffix(".part") }))
        try FileManager.default.removeItem(atPath: withFolder ? folder : part)
        gate.release()
        let error = try #require(harness.outcome(of: id, resuming: false)?.error)
        #expect(error.message == (withFolder ? StorageErrors.partFolderRemoved(part) : StorageErrors.partRemoved(part)))
        #expect(error.partPath == nil)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
    }
}

extension TemporaryFolder {
    /// Writes over a file that is there, which keeps its identity.
    fileprivate func write(_ bytes: [UInt8], to name: String, inPlace: Bool) throws {
        let file = open(path + "/" + name, O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
}
