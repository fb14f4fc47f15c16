import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Downloads of several sources, against real servers: three origins, each at its own speed.
@Suite("Mirrors", .timeLimit(.minutes(1)))
struct MirrorTests {
    let first = LoopbackServer()
    let second = LoopbackServer()
    let third = LoopbackServer()
    let harness: EngineHarness
    static let count: Int64 = 3 << 20
    let resource = ServedResource(seed: 7, count: count)
    let bytes = DeterministicContent(seed: 7, count: count).bytes
    /// Slow enough for mirrors to be compared and tried meanwhile.
    let rate: Int64 = 1 << 20

    init() throws {
        for server in [first, second, third] { try server.start() }
        harness = try EngineHarness { $0.maximumRetries = 1 }
    }

    var good: Behaviour { .resource(resource) }
    var slow: Behaviour { good.limited(to: rate) }
    var other: Behaviour { .file(seed: 8, count: Self.count) }

    /// Resumes a download of sources that stand still until each of them brings a part, and waits for its end.
    ///
    /// What they are compared by is shorter than what they bring before.
    func outcome(
        of id: TransferID, from sources: [(server: LoopbackServer, behaviour: Behaviour)]
    ) throws -> TransferEnd? {
        let gates = try sources.map { source in
            let gate = try Gate()
            source.server.setRoute("/file", source.behaviour.stalling(after: 140_000, until: gate))
            return gate
        }
        harness.resume(id)
        for gate in gates { #expect(gate.waitForArrivals()) }
        for gate in gates { gate.release() }
        return harness.outcome(of: id, resuming: false)
    }

    /// Serves from a source that stands still until a download has dropped another, and waits for its end.
    func outcome(of id: TransferID, from server: LoopbackServer, _ behaviour: Behaviour) throws -> TransferEnd? {
        let gate = try Gate()
        server.setRoute("/file", behaviour.stalling(after: 500_000, until: gate))
        harness.resume(id)
        let hasDropped = harness.wait(id) { events in
            events.contains { if case .source(_, .dropped) = $0 { true } else { false } }
        }
        #expect(hasDropped)
        gate.release()
        return harness.outcome(of: id, resuming: false)
    }

    func download(
        _ connections: Int = 1, length: Int64? = nil, mirrors: [LoopbackServer]? = nil,
        change: (inout DownloadTarget) -> Void = { _ in }
    ) -> TransferID {
        harness.download(first.url("/file")) { [self] in
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
            $0.mirrors = Mirrors(urls: (mirrors ?? [second, third]).map { $0.url("/file") }, length: length)
            change(&$0)
        }
    }

    /// The file is there with its bytes, and nothing else is.
    func hasFile(_ outcome: TransferEnd?) -> Bool {
        outcome?.error == nil && harness.folder.names == ["file"] && harness.folder.bytes(of: "file") == bytes
    }

    func sources(of id: TransferID) -> [SourceEvent] {
        harness.events(of: id).compactMap { if case .source(_, let event) = $0 { event } else { nil } }
    }

    func drops(_ id: TransferID) -> [String: String] {
        var result: [String: String] = [:]
        for case .dropped(let url, let reason) in sources(of: id) { result[url] = reason }
        return result
    }

    func requests(_ server: LoopbackServer) -> [RecordedRequest] { server.ended("/file") }
    func sent(_ server: LoopbackServer) -> Int64 { requests(server).map(\.responseBodyBytesSent).reduce(0, +) }

    // MARK: - The next becomes the first

    @Test(
        "When the first source does not have the file the next becomes the first", arguments: [404, 403, 410, 500, 503])
    func missing(_ status: Int) throws {
        first.setRoute("/file", .respond(.text("no", status: status)))
        second.setRoute("/file", good)
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        let (to, from) = (second.url("/file"), first.url("/file"))
        #expect(sources(of: id).contains { if case .switched(to, from, _) = $0 { true } else { false } })
        #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
        #expect(drops(id).keys.sorted() == (status < 500 ? [first.url("/file")] : []))
    }

    @Test("When the first source is not there the next becomes the first")
    func refused() throws {
        second.setRoute("/file", good)
        let url = first.url("/file")
        first.stop()
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        #expect(url != second.url("/file"))
    }

    @Test("A source that dies in the middle is gone on with elsewhere, and nothing is fetched twice")
    func dies() throws {
        first.setRoute(
            "/file",
            .choosing { [good] in
                $0.index == 0 ? good.cutting(after: 1 << 20, .reset) : .respond(.text("no", status: 404))
            })
        second.setRoute("/file", good)
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        #expect(harness.restarts(of: id).isEmpty)
        #expect(sent(second) < 2 << 20 + 300_000)
        #expect(requests(second).first?.header("Range") == "bytes=0-65535")
    }

    @Test("A cut before there was anything to compare begins anew elsewhere")
    func early() throws {
        first.setRoute(
            "/file",
            .choosing { [good] in
                $0.index == 0 ? good.cutting(after: 1000, .reset) : .respond(.text("no", status: 404))
            })
        second.setRoute("/file", good)
        #expect(hasFile(harness.outcome(of: download())))
    }

    /// What the second source may be instead of a mirror.
    enum Bad: String, CaseIterable {
        case sameLength, sameTag, sameEnd, otherLength, fullOnly, missing, lying

        /// Whether it is said of it.
        func isReason(_ reason: String?) -> Bool {
            switch self {
            case .sameLength, .sameTag: reason == MirrorReasons.otherBytes
            case .sameEnd: [MirrorReasons.otherBytes, MirrorReasons.fileChanged].contains(reason)
            case .otherLength: reason?.hasPrefix("File has ") == true
            case .fullOnly: reason == MirrorReasons.noRanges
            case .lying: reason?.contains("Content-Range") == true
            case .missing: reason == "404 Not Found"
            }
        }
    }

    func behaviour(_ bad: Bad) -> Behaviour {
        switch bad {
        case .sameLength: return other
        case .sameTag:
            // As it happens.
            var chance = ServedResource(seed: 8, count: Self.count)
            (chance.entityTag, chance.lastModified) = (resource.entityTag, resource.lastModified)
            return .resource(chance)
        case .sameEnd:
            // Its first block alone differs.
            let (other, good) = (other, good)
            return .choosing { $0.header("Range")?.hasPrefix("bytes=0-") == true ? other : good }
        case .otherLength: return .file(seed: 7, count: Self.count + 1)
        case .fullOnly: return .resource(ResumeScoreboardTests.with(resource) { $0.honoursRange = false })
        case .missing: return .respond(.text("no", status: 404))
        case .lying: return good.header("Content-Range", "bytes 5-9/\(Self.count)")
        }
    }

    @Test("No byte of a bad mirror is mixed with one connection", arguments: Bad.allCases)
    func badWhenTurning(_ bad: Bad) throws {
        first.setRoute(
            "/file",
            .choosing { [good] in
                $0.index == 0 ? good.cutting(after: 1 << 20, .reset) : .respond(.text("no", status: 404))
            })
        second.setRoute("/file", behaviour(bad))
        third.setRoute("/file", good)
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        #expect(bad.isReason(drops(id)[second.url("/file")]), "\(drops(id))")
    }

    @Test("No byte of a bad mirror is mixed with several connections", arguments: Bad.allCases)
    func badWhenSpreading(_ bad: Bad) throws {
        second.setRoute("/file", behaviour(bad))
        third.setRoute("/file", slow)
        let id = download(3)
        #expect(hasFile(try outcome(of: id, from: first, good.limited(to: rate / 2))))
        #expect(bad.isReason(drops(id)[second.url("/file")]), "\(drops(id))")
        #expect(sent(third) > 128 << 10, "the good one works")
    }

    @Test("A mirror that sends nothing but the whole is used when nobody else is left")
    func wholeAlone() throws {
        first.setRoute(
            "/file",
            .choosing { [good] in
                $0.index == 0 ? good.cutting(after: 1 << 20, .reset) : .respond(.text("no", status: 404))
            })
        second.setRoute("/file", behaviour(.fullOnly))
        let id = download(mirrors: [second])
        #expect(hasFile(harness.outcome(of: id)))
        #expect(harness.restarts(of: id).count == 1)
    }

    @Test("When all sources are dead one sentence says why each is")
    func allDead() throws {
        first.setRoute("/file", .respond(.text("no", status: 404)))
        second.setRoute("/file", .respond(.text("no", status: 403)))
        third.setRoute("/file", .respond(.text("no", status: 410)))
        let error = harness.outcome(of: download())?.error
        #expect(error?.message.hasPrefix("All 3 mirrors failed (") == true)
        for word in ["404", "403", "410"] { #expect(error?.message.contains(word) == true) }
        #expect(harness.folder.names.isEmpty)
    }

    @Test("What fails for a while at all sources is tried again")
    func allBusy() throws {
        first.setRoute("/file", .sequence([.respond(.text("no", status: 503)), good]))
        second.setRoute("/file", .sequence([.respond(.text("no", status: 503)), good]))
        let id = download(mirrors: [second])
        #expect(hasFile(harness.outcome(of: id)))
        #expect(harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
    }

    // MARK: - Several connections

    @Test("Connections are spread over the sources, and each byte comes about once")
    func spread() throws {
        let id = download(4)
        #expect(hasFile(try outcome(of: id, from: [first, second, third].map { ($0, slow) })))
        let shares = [first, second, third].map(sent)
        #expect(shares.allSatisfy { $0 > 200_000 }, "\(shares)")
        #expect(drops(id).isEmpty)
    }

    @Test("A faster mirror takes over what a slow source had begun")
    func faster() throws {
        let both = [(first, good.limited(to: 128 << 10)), (second, good.limited(to: 4 << 20))]
        #expect(hasFile(try outcome(of: download(2, mirrors: [second]), from: both)))
        #expect(sent(second) > 2 * sent(first), "\(sent(first)) \(sent(second))")
    }

    @Test("A limit of the speed starves no connection: mirrors are compared and bring as much as the first source")
    func paced() throws {
        harness.engine.submit(.setRateLimits(RateLimits(all: RateLimit(download: 3 << 20))))
        let id = download(3)
        #expect(hasFile(try outcome(of: id, from: [first, second, third].map { ($0, good) })))
        let shares = [first, second, third].map(sent)
        #expect(shares.allSatisfy { $0 > 300_000 }, "\(shares) \(drops(id))")
    }

    @Test("A mirror that dies in the middle is dropped, and the download goes on")
    func mirrorDies() throws {
        second.setRoute(
            "/file", .choosing { [slow] in $0.index < 2 ? slow : slow.cutting(after: 70_000, .reset) })
        let id = download(3, mirrors: [second])
        #expect(hasFile(try outcome(of: id, from: first, slow)))
        #expect(drops(id)[second.url("/file")] != nil)
    }

    @Test("A first source that dies is done without, where mirrors work")
    func firstDies() throws {
        let gone = Locked(false)
        first.setRoute(
            "/file",
            .choosing { [slow] in
                $0.index == 0
                    ? slow.cutting(after: 1 << 20, .reset)
                    : gone.withLock { $0 } ? .respond(.text("no", status: 404)) : slow
            })
        second.setRoute("/file", slow)
        let id = download(3, mirrors: [second])
        harness.resume(id)
        #expect(harness.waitForReceived(1 << 20, id))
        gone.withLock { $0 = true }
        #expect(hasFile(harness.outcome(of: id, resuming: false)))
    }

    @Test("A mirror that differs in its middle alone is found by the checksum, and then one source brings all")
    func wrongInTheMiddle() throws {
        let ends = ["bytes=0-65535", "bytes=\(Self.count - 65536)-\(Self.count - 1)"]
        let right = Behaviour.resource(ResumeScoreboardTests.with(resource) { $0.entityTag = "\"m\"" })
        let betweenJoins = bytes.enumerated().map { $1 ^ ($0 % 65_536 == 30_000 ? 1 : 0) }
        let wrong = Behaviour.resource(ServedResource(body: .bytes(betweenJoins), entityTag: "\"m\""))
        let changing = Behaviour.choosing { ends.contains($0.header("Range") ?? "") ? right : wrong }
        let digest = try Digest.of(bytes, .sha256)
        let id = download(2, mirrors: [second]) { $0.checksum = Checksum(algorithm: .sha256, digest: digest) }
        #expect(hasFile(try outcome(of: id, from: [(first, slow), (second, changing)])))
        #expect(harness.restarts(of: id).count == 1)
    }

    @Test("Places that an answer names count where it has a digest of the whole", arguments: [true, false])
    func linked(hasDigest: Bool) throws {
        let digest = Base64.encode(try Digest.of(bytes, .sha256))
        let links = "<http://127.0.0.1:1/nothing>; rel=\"describedby\", <\(second.url("/file"))>; rel=duplicate; pri=1"
        let linking = slow.header("Link", links).header("Digest", hasDigest ? "SHA-256=\(digest)" : nil)
        first.setRoute("/file", linking)
        second.setRoute("/file", slow)
        let id = harness.download(first.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(3), minimumSegment: 64 << 10)
        }
        let both = [(first, linking), (second, slow)]
        #expect(hasFile(hasDigest ? try outcome(of: id, from: both) : harness.outcome(of: id)))
        #expect((sent(second) > 100_000) == hasDigest)
    }

    // MARK: - What is known beforehand

    @Test("A source with another length than was announced is dropped at once")
    func announcedLength() throws {
        first.setRoute("/file", .file(seed: 7, count: Self.count + 1))
        second.setRoute("/file", good)
        let id = download(length: Self.count, mirrors: [second])
        #expect(hasFile(harness.outcome(of: id)))
        #expect(drops(id)[first.url("/file")] == MirrorReasons.otherLength(Self.count + 1, expected: Self.count))
    }

    @Test("A file of another length than announced fails, wherever it comes from")
    func wrongLength() throws {
        for server in [first, second] { server.setRoute("/file", good) }
        let error = harness.outcome(of: download(length: 5, mirrors: [second]))?.error
        #expect(error?.message.contains(MirrorReasons.otherLength(Self.count, expected: 5)) == true)
        #expect(harness.folder.names.isEmpty)
    }

    @Test("A source whose file has the wrong checksum is dropped for the next")
    func wrongChecksum() throws {
        first.setRoute("/file", other)
        second.setRoute("/file", good)
        let digest = try Digest.of(bytes, .sha256)
        let id = download(mirrors: [second]) { $0.checksum = Checksum(algorithm: .sha256, digest: digest) }
        #expect(hasFile(harness.outcome(of: id)))
        #expect(drops(id)[first.url("/file")] != nil)
    }

    @Test("A mirror that was dropped because it differs brings the file when the first was wrong", arguments: [0, 1])
    func wrongReference(_ surplus: Int64) throws {
        second.setRoute("/file", good)
        let digest = try Digest.of(bytes, .sha256)
        let id = download(4, mirrors: [second]) { $0.checksum = Checksum(algorithm: .sha256, digest: digest) }
        let wrong = Behaviour.file(seed: 8, count: Self.count + surplus).limited(to: rate)
        #expect(try outcome(of: id, from: first, wrong)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        #expect(drops(id).count == 2)
    }

    // MARK: - Secrets

    @Test("What is meant for one origin goes to no other")
    func secrets() throws {
        first.setRoute("/file", .respond(.text("no", status: 404)))
        second.setRoute("/file", good)
        var target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        target.mirrors = Mirrors(urls: [second.url("/file")])
        var request = TransferRequest(url: first.url("/file"))
        request.headers = ["Authorization": "Bearer s", "Cookie": "c=1", "X-Api-Key": "k", "User-Agent": "agent"]
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "u", password: "p")
        request.options = options
        #expect(hasFile(harness.outcome(of: harness.add(request, kind: .download, sink: .file(target)))))
        let asked = try #require(requests(second).first)
        for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(asked.header(name) == nil) }
        #expect(asked.header("User-Agent") == "agent")
        #expect(requests(first).first?.header("X-Api-Key") == "k")
    }
}
