import LoopbackServer
import Testing

@testable import SessionCore

/// Scripts that send the fields of a range and then other bytes than it names.
@Suite("Answers that are not the range they name", .timeLimit(.minutes(1)))
struct EngineFalseRangeTests {
    static let length: Int64 = 1_000_000
    static let partSize: Int64 = 400_000
    static let content = DeterministicContent(seed: 9, count: length).bytes

    /// What a script sends in place of the range.
    enum Lie: String, CaseIterable, Sendable {
        /// The whole file, in chunks or up to the end of the connection.
        case fullChunked, fullUntilClose
        /// As many bytes as the range has, from the file's first one, or from another place than that of the range.
        case beginning, before, behind
        /// The same, a byte or a page too late.
        case byteLate, pageLate
        /// The range of another file of the same length.
        case otherFile
        /// The range, and more behind it.
        case surplus

        /// The lies that have the range's length, so that only their bytes are false.
        fileprivate static let counted: [Lie] = [.beginning, .before, .behind, .byteLate, .pageLate, .otherFile]
    }

    enum Proof: String, CaseIterable, Sendable {
        case tag, date, checksum, weakTag

        /// Whether the download is to have a checksum.
        var hasChecksum: Bool { self == .checksum || self == .weakTag }

        fileprivate func apply(_ resource: inout ServedResource) {
            switch self {
            case .tag: break
            case .date: (resource.entityTag, resource.lastModified) = (nil, 1_000_000_000)
            case .checksum: resource.entityTag = nil
            case .weakTag: resource.entityTag = "W/\"1\""
            }
        }
    }

    static func resource(_ proof: Proof) -> ServedResource {
        var resource = ServedResource(seed: 9, count: length)
        proof.apply(&resource)
        return resource
    }

    /// The answer of a script to a request for a range.
    static func answer(_ range: Range<Int64>, _ lie: Lie, _ resource: ServedResource) -> Behaviour {
        let body: ServedBody =
            switch lie {
            case .fullChunked, .fullUntilClose: resource.body
            case .beginning: .slice(resource.body, 0..<Int64(range.count))
            case .before: .bytes(bytes(as: range, from: range.lowerBound - 5_000))
            case .behind: .bytes(bytes(as: range, from: range.lowerBound + 70_000))
            case .byteLate: .bytes(bytes(as: range, from: range.lowerBound + 1))
            case .pageLate: .bytes(bytes(as: range, from: range.lowerBound + 4_096))
            case .otherFile: .slice(.content(DeterministicContent(seed: 10, count: length)), range)
            case .surplus: .bytes(Array(content[Int(range.lowerBound)..<Int(range.upperBound)]) + [1, 2, 3])
            }
        var response = ScriptedResponse(206, body: body)
        response.framing =
            switch lie {
            case .fullUntilClose: .untilClose
            case .beginning, .before, .behind, .byteLate, .pageLate, .otherFile: .contentLength
            case .fullChunked, .surplus: .chunked
            }
        response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        response.headers["Accept-Ranges"] = "bytes"
        response.headers["ETag"] = resource.entityTag
        if resource.lastModified != nil { response.headers["Last-Modified"] = "Sun, 09 Sep 2001 01:46:40 GMT" }
        return .respond(response)
    }

    /// As many bytes as a range has, from a place on, and from the file's beginning again behind its end.
    static func bytes(as range: Range<Int64>, from offset: Int64) -> [UInt8] {
        let twice = content + content
        let start = max(Int(offset), 0) % content.count
        return Array(twice[start..<start + range.count])
    }

    static func range(_ request: RecordedRequest) -> Range<Int64>? {
        guard let field = request.header("Range") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard let first = Int64(ends[0]) else { return nil }
        return first..<(Int64(ends[1]).map { $0 + 1 } ?? length)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var lie: Lie
        var proof: Proof
        var testDescription: String { "\(lie.rawValue), \(proof.rawValue)" }
    }

    static let stories = Lie.allCases.flatMap { lie in
        Proof.allCases.map { Story(lie: lie, proof: $0) }
    }

    /// Each lie and each proof with every number, and each story with one of them.
    static func spread(_ stories: [Story], over numbers: [Int]) -> [(Story, Int)] {
        stories.enumerated().map { index, story in
            let lie = Lie.allCases.firstIndex(of: story.lie) ?? 0
            return (story, numbers[(index + lie) % numbers.count])
        }
    }

    /// The lies of a range's length, by a server with a strong tag and by one with a date.
    static let countedStories = Lie.counted.flatMap { lie in
        [Proof.tag, .date].map { Story(lie: lie, proof: $0) }
    }

    /// A server that breaks off its first response, and is false to the ranges of the rest.
    static func falseRest(_ lie: Lie, _ proof: Proof) -> Behaviour {
        let resource = resource(proof)
        return .choosing { request in
            if request.index == 0 { return Behaviour.resource(resource).cutting(after: partSize) }
            guard let range = range(request) else { return .resource(resource) }
            return answer(range, lie, resource)
        }
    }

    @Test("A cut download is the file in the end, whatever the script sends for its rest", arguments: stories)
    func rest(story: Story) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", Self.falseRest(story.lie, story.proof))
        let harness = try EngineHarness()
        let digest = try Digest.of(Self.content, .sha256)
        let id = harness.download(server.url("/file")) { target in
            if story.proof.hasChecksum { target.checksum = Checksum(algorithm: .sha256, digest: digest) }
        }
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests.count <= 5)
    }

    @Test("What is dropped of a false answer is told once, with its size")
    func told() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", Self.falseRest(.surplus, .tag))
        let harness = try EngineHarness()
        let id = harness.download(server.url("/file"))
        #expect(try #require(harness.outcome(of: id)).error == nil)
        let told = harness.takenBack(of: id)
        #expect(told.map(\.reason) == [ResumeReasons.overran])
        let isWithin = told.allSatisfy { 0 < $0.bytes && $0.bytes <= Self.length - Self.partSize }
        #expect(isWithin, "\(told)")
    }

    @Test(
        "Nothing of it is in a file of several connections",
        arguments: spread(stories.filter { !$0.proof.hasChecksum }, over: [2, 4, 16]))
    func branches(story: Story, connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        let resource = Self.resource(story.proof)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = Self.range(request) else {
                    return Behaviour.resource(resource).limited(to: 2 << 20)
                }
                return Self.answer(range, story.lie, resource)
            })
        let harness = try EngineHarness()
        let id = Self.download(connections, from: server, harness)
        let end = try #require(harness.outcome(of: id))
        #expect(end.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
    }

    static func download(
        _ connections: Int, from server: LoopbackServer, _ harness: EngineHarness,
        change: (inout DownloadTarget) -> Void = { _ in }
    ) -> TransferID {
        harness.download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
            change(&$0)
        }
    }

    /// A server that is false to some of the ranges that it is asked for.
    ///
    /// - Parameter gate: where the others stand still; on a busy machine the file would end before a false range is asked for.
    ///   The test opens it, and a false range that is recognised before any of it is stored.
    static func partlyFalse(
        _ lie: Lie, _ proof: Proof, gate: Gate? = nil, isFalse: @escaping @Sendable (Int) -> Bool
    ) -> Behaviour {
        let resource = resource(proof)
        let slow = Behaviour.resource(resource).limited(to: 2 << 20)
        return .choosing { request in
            guard let range = range(request), isFalse(request.index) else {
                return gate.map { slow.stalling(after: 100_000, until: $0) } ?? slow
            }
            if lie == .beginning { gate?.release() }
            return answer(range, lie, resource)
        }
    }

    /// Whether false bytes were stored while the others, three at most, stand still at their gate.
    static func hasFalseBytes(_ events: [EngineEvent]) -> Bool {
        events.contains { event in
            switch event {
            case .status(_, let status): status.received > 3 * 100_000
            case .source(_, .tookBack): true
            default: false
            }
        }
    }

    @Test(
        "A false range among right ones ends the further connections, and one brings the rest",
        arguments: spread(countedStories, over: [1, 3]))
    func someFalse(story: Story, number: Int) throws {
        let server = LoopbackServer()
        try server.start()
        let gate = try server.gate(named: "false")
        server.setRoute("/file", Self.partlyFalse(story.lie, story.proof, gate: gate) { $0 == number })
        let harness = try EngineHarness()
        let id = Self.download(4, from: server, harness)
        harness.resume(id)
        if story.lie != .beginning { #expect(harness.wait(id, until: Self.hasFalseBytes)) }
        gate.release()
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests.count <= 8)
        #expect(harness.restarts(of: id).isEmpty, "what is proven stays")
        // The file's beginning is recognised before any of it is stored.
        let told = story.lie == .beginning ? [] : [MirrorReasons.falseRange]
        #expect(harness.takenBack(of: id).map(\.reason) == told, "and what is dropped is told")
    }

    @Test("The comparison costs a few bytes for each range, and no further request", arguments: [Proof.tag, .date])
    func honest(proof: Proof) throws {
        let server = LoopbackServer()
        try server.start()
        let all = try Gate(opensAt: 4)
        server.setRoute("/file", Behaviour.resource(Self.resource(proof)).stalling(after: 50_000, until: all))
        let harness = try EngineHarness()
        #expect(harness.outcome(of: Self.download(4, from: server, harness))?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        let asked = server.requests.compactMap { Self.range($0) }
        #expect(asked.count >= 3)
        #expect(asked.allSatisfy { ($0.lowerBound + RangeJoins.length) % SegmentPlan.grain == 0 })
    }

    @Test(
        "What a run has left is compared where its ranges meet",
        arguments: countedStories.filter { $0.lie != .beginning }, [1, 4])
    func laterRun(story: Story, connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        // The first connection stands still before it comes to what the others have brought.
        let gate = try server.gate(named: "lead")
        let resource = Self.resource(story.proof)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = Self.range(request) else {
                    return Behaviour.resource(resource).stalling(after: 100_000, until: gate)
                }
                return Self.answer(range, story.lie, resource)
            })
        let first = Self.download(4, from: server, harness)
        harness.resume(first)
        #expect(harness.waitForReceived(700_000, first))
        harness.intent(.cancelled(keepsPart: true), first)
        #expect(harness.outcome(of: first, resuming: false)?.error?.code == .cancelled)
        gate.release()
        server.setRoute("/file", .resource(resource))
        let second = Self.download(connections, from: server, harness)
        #expect(harness.outcome(of: second)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
    }

    @Test("What a run has left of an honest server is not fetched again", arguments: [Proof.tag, .date], [1, 4])
    func laterHonestRun(proof: Proof, connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        let gate = try server.gate(named: "lead")
        let resource = Self.resource(proof)
        server.setRoute(
            "/file",
            .choosing { request in
                let honest = Behaviour.resource(resource)
                return Self.range(request) == nil ? honest.stalling(after: 100_000, until: gate) : honest
            })
        let first = Self.download(4, from: server, harness)
        harness.resume(first)
        #expect(harness.waitForReceived(700_000, first))
        harness.intent(.cancelled(keepsPart: true), first)
        _ = harness.outcome(of: first, resuming: false)
        gate.release()
        server.clearRequests()
        server.setRoute("/file", .resource(resource))
        #expect(harness.outcome(of: Self.download(connections, from: server, harness))?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(server.requests.reduce(0) { $0 + $1.responseBodyBytesSent } < 500_000)
    }

    @Test("After a first lie every range of that server is compared, whatever its tag is")
    func afterLie() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        let resource = Self.resource(.tag)
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index == 0 { return Behaviour.resource(resource).cutting(after: Self.partSize) }
                guard let range = Self.range(request) else { return .resource(resource) }
                return Self.answer(range, request.index == 1 ? .surplus : .before, resource)
            })
        #expect(harness.outcome(of: harness.download(server.url("/file")))?.error == nil)
        var isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        server.clearRequests()
        server.setRoute("/file", Self.partlyFalse(.before, .tag) { _ in true })
        let second = Self.download(4, from: server, harness) { $0.name = .fixed("second") }
        #expect(harness.outcome(of: second)?.error == nil)
        isRight = harness.folder.bytes(of: "second") == Self.content
        #expect(isRight)
    }

    @Test("A mirror that is false to its ranges adds no byte", arguments: [Lie.before, .behind, .beginning])
    func mirrors(lie: Lie) throws {
        let (first, second) = (LoopbackServer(), LoopbackServer())
        for server in [first, second] { try server.start() }
        let resource = Self.resource(.date)
        let gate = try first.gate(named: "lead")
        let slow = Behaviour.resource(resource).limited(to: 256 << 10)
        // The lead waits for the mirror to be asked.
        first.setRoute("/file", .choosing { Self.range($0) == nil ? slow.stalling(after: 200_000, until: gate) : slow })
        // It gives the blocks by which mirrors are compared.
        second.setRoute(
            "/file",
            .choosing { request in
                guard let range = Self.range(request), range.count != DownloadSources.blockLength else {
                    return .resource(resource)
                }
                gate.release()
                return Self.answer(range, lie, resource)
            })
        let harness = try EngineHarness()
        let id = Self.download(2, from: first, harness) { $0.mirrors = Mirrors(urls: [second.url("/file")]) }
        #expect(harness.outcome(of: id)?.error == nil)
        let isRight = harness.folder.bytes(of: "file") == Self.content
        #expect(isRight)
        #expect(second.requests.count > 2, "it was asked for ranges")
    }
}
