import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows and their files", .timeLimit(.minutes(1)))
struct RowFilesTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var bridge: LocalService { fixture.bridge }
    private static let content = DeterministicContent(seed: 3, count: 4_000_000)

    init() throws {
        fixture = try BridgeFixture {
            $0.retries = 0
            $0.maximumConcurrent = 1
        }
    }

    private func resource(_ seed: UInt64 = 3) -> Behaviour {
        var resource = ServedResource(seed: seed, count: Self.content.count)
        resource.lastModified = 1_000_000_000
        return .resource(resource)
    }

    private func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: fixture.folder.path + "/" + name).map { [UInt8]($0) }
    }

    /// A download that was cancelled in the middle, with its part kept.
    private func cancelled() throws {
        let gate = try server.gate(named: "half")
        server.setRoute("/signed-1/f.bin", resource().stalling(after: 2_000_000, until: gate))
        bridge.add([fixture.job(.download, "/signed-1/f.bin")])
        try #require(gate.waitForArrivals())
        // Sent is not received, and of a few bytes there is no end to compare with another URL's.
        try #require(observer.wait { _ in (bridge.snapshots(of: [1]).first?.received ?? 0) >= 1_000_000 })
        bridge.send(.cancel([1], deletingParts: false))
        try #require(observer.waitForEnds())
        gate.release()
        #expect(bridge.snapshots(of: [1]).first?.canResume == true)
    }

    // MARK: Another URL

    @Test("The same file under another URL goes on with the bytes there are: only the rest is sent")
    func anotherURL() throws {
        defer { fixture.end() }
        try cancelled()
        server.setRoute("/signed-2/other-name", resource())
        let kept = try #require(try bridge.changeURL(of: 1, to: server.url("/signed-2/other-name")).get())
        #expect(kept > 0)
        try #require(observer.waitForEnds(2))
        let requests = server.requests(for: "/signed-2/other-name")
        #expect(requests.map { $0.header("Range") } == ["bytes=\(kept - 65_536)-"], "its end is compared")
        #expect(requests.first?.header("If-Range") == "\"3-4000000\"")
        #expect(bytes(of: "f.bin") == Self.content.bytes)
        #expect(bridge.snapshots(of: [1]).first?.state == .done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["f.bin"])
    }

    @Test("Another file under another URL is never joined with the bytes there are: it comes whole")
    func anotherFile() throws {
        defer { fixture.end() }
        try cancelled()
        server.setRoute("/signed-2/f.bin", resource(4))
        #expect(try bridge.changeURL(of: 1, to: server.url("/signed-2/f.bin")).get() ?? 0 > 0)
        try #require(observer.waitForEnds(2))
        #expect(bytes(of: "f.bin") == DeterministicContent(seed: 4, count: Self.content.count).bytes)
        #expect(observer.events.contains { if case .restarted = $0.what { true } else { false } })
    }

    @Test("A smaller file under another URL is told alike in the row and in the log")
    func smallerFile() throws {
        defer { fixture.end() }
        try cancelled()
        var small = ServedResource(seed: 4, count: 1_000)
        small.honoursIfRange = false
        server.setRoute("/signed-2/f.bin", .resource(small))
        #expect(try bridge.changeURL(of: 1, to: server.url("/signed-2/f.bin")).get() ?? 0 > 0)
        try #require(observer.waitForEnds(2))
        let told = observer.events.compactMap { event -> String? in
            if case .failed(let failure) = event.what { failure.message } else { nil }
        }
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .failed && told.count == 1 && row.error?.string == told.first)
    }

    @Test("A tag and a length that are the same by chance join nothing: the bytes are compared")
    func sameTag() throws {
        defer { fixture.end() }
        try cancelled()
        var chance = ServedResource(seed: 4, count: Self.content.count)
        (chance.entityTag, chance.lastModified) = ("\"3-4000000\"", 1_000_000_000)
        server.setRoute("/signed-2/f.bin", .resource(chance))
        #expect(try bridge.changeURL(of: 1, to: server.url("/signed-2/f.bin")).get() ?? 0 > 0)
        try #require(observer.waitForEnds(2))
        let isOther = bytes(of: "f.bin") == DeterministicContent(seed: 4, count: Self.content.count).bytes
        #expect(isOther)
    }

    @Test("A server that sends something of the same length without a proof is not believed")
    func noProof() throws {
        defer { fixture.end() }
        try cancelled()
        var unproved = ServedResource(seed: 4, count: Self.content.count)
        unproved.entityTag = nil
        unproved.honoursIfRange = false
        server.setRoute("/signed-2/f.bin", .resource(unproved))
        _ = try bridge.changeURL(of: 1, to: server.url("/signed-2/f.bin")).get()
        try #require(observer.waitForEnds(2))
        let file = bytes(of: "f.bin")
        #expect(file == nil || file == DeterministicContent(seed: 4, count: Self.content.count).bytes)
    }

    @Test("A row that is done or is gone goes on from no other URL")
    func refusedURL() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(count: 1000))
        bridge.add([fixture.job(.download, "/f.bin")])
        try #require(observer.waitForEnds())
        #expect(throws: TransferFailure.self) { try bridge.changeURL(of: 1, to: server.url("/g")).get() }
        #expect(throws: TransferFailure.self) { try bridge.changeURL(of: 9, to: server.url("/g")).get() }
    }

    // MARK: Another place

    @Test("The file of a completed download moves, and never onto another one")
    func movingFile() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(seed: 1, count: 1000))
        bridge.add([fixture.job(.download, "/f.bin")])
        try #require(observer.waitForEnds())
        #expect(try bridge.moveFile(of: 1, to: "g.bin").get() == fixture.folder.path + "/g.bin")
        #expect(bytes(of: "g.bin")?.count == 1000 && bytes(of: "f.bin") == nil)
        #expect(bridge.snapshots(of: [1]).first?.path?.string == fixture.folder.path + "/g.bin")
        #expect(bridge.snapshots(of: [1]).first?.name.string == "g.bin")
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "taken"))
        #expect(throws: TransferFailure.self) { try bridge.moveFile(of: 1, to: "taken").get() }
        #expect(throws: TransferFailure.self) { try bridge.moveFile(of: 1, to: "taken/folder/").get() }
        #expect(throws: TransferFailure.self) { try bridge.moveFile(of: 1, to: "g.bin").get() }
        #expect(bytes(of: "taken") == Array("mine".utf8) && bytes(of: "g.bin")?.count == 1000)
    }

    @Test("The file of a completed download moves into a folder that does not exist")
    func movingIntoNewFolder() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(seed: 1, count: 1000))
        bridge.add([fixture.job(.download, "/f.bin")])
        try #require(observer.waitForEnds())
        #expect(try bridge.moveFile(of: 1, to: "new/sub/").get() == fixture.folder.path + "/new/sub/f.bin")
        #expect(bytes(of: "new/sub/f.bin")?.count == 1000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["new"])
    }

    @Test("The part of a download moves to the new place, where it goes on")
    func movingPart() throws {
        defer { fixture.end() }
        try cancelled()
        server.setRoute("/signed-1/f.bin", resource())
        #expect(try bridge.moveFile(of: 1, to: "sub/g.bin").get() == fixture.folder.path + "/sub/g.bin")
        bridge.send(.resume([1]))
        try #require(observer.waitForEnds(2))
        #expect(server.requests(for: "/signed-1/f.bin").last?.header("Range") != nil)
        #expect(bytes(of: "sub/g.bin") == Self.content.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["sub"])
    }

    @Test("A part is not moved to the name of a file, and stays where it is")
    func refusedMove() throws {
        defer { fixture.end() }
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "taken"))
        try cancelled()
        guard case .failure(let failure) = bridge.moveFile(of: 1, to: "taken") else {
            Issue.record("a part was moved to the name of a file")
            return
        }
        #expect(failure.message == ServiceErrors.exists("\(fixture.folder.path)/taken"))
        server.setRoute("/signed-1/f.bin", resource())
        bridge.send(.resume([1]))
        try #require(observer.waitForEnds(2))
        #expect(bytes(of: "f.bin") == Self.content.bytes && bytes(of: "taken") == Array("mine".utf8))
        #expect(server.requests(for: "/signed-1/f.bin").last?.header("Range") != nil)
    }

    @Test("A row without bytes is not said to have lost some when it gets another URL")
    func noBytes() throws {
        defer { fixture.end() }
        server.setRoute("/gone", .respond(.text("gone\n", status: 410)))
        server.setRoute("/f.bin", .file(count: 1000))
        bridge.add([fixture.job(.download, "/gone")])
        try #require(observer.waitForEnds())
        let message = FileEffects.changeURL(of: 1, to: server.url("/f.bin"), in: bridge)
        #expect(message == .toast(EffectToasts.startsFromURL, isError: false))
        try #require(observer.waitForEnds(2))
        #expect(bytes(of: "f.bin")?.count == 1000)
    }

    @Test("A part that is only moved waits at its new place until it is resumed")
    func movingWithoutResuming() throws {
        defer { fixture.end() }
        try cancelled()
        _ = try bridge.moveFile(of: 1, to: "g.bin").get()
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .paused && row.received > 0 && row.name.string == "g.bin" && row.canResume)
        server.setRoute("/signed-1/f.bin", resource())
        bridge.send(.resume([1]))
        try #require(observer.waitForEnds(2))
        #expect(bytes(of: "g.bin") == Self.content.bytes)
    }

    // MARK: Once more, at once, gone

    @Test(
        "What is done is fetched again beside the file that is there, whatever the rule was",
        arguments: [.rename, .skip, .overwrite, .fail] as [Job.IfExists])
    func again(rule: Job.IfExists) throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(seed: 1, count: 1000))
        var job = fixture.job(.download, "/f.bin")
        job.ifExists = rule
        bridge.add([job])
        try #require(observer.waitForEnds())
        try Data("edited".utf8).write(to: fixture.folder.appendingPathComponent("f.bin"))
        bridge.send(.fetchAgain([1]))
        try #require(observer.waitForEnds(2))
        #expect(server.requests(for: "/f.bin").count == 2)
        #expect(bytes(of: "f.bin") == Array("edited".utf8))
        #expect(bytes(of: "f (1).bin")?.count == 1000)
        #expect(bridge.isIdle)
    }

    @Test("A row that is started now runs beyond the limits; the others wait as before")
    func startingNow() throws {
        defer { fixture.end() }
        let gates = try (1...3).map { try server.gate(named: "g\($0)") }
        for (number, gate) in gates.enumerated() {
            server.setRoute("/\(number + 1)", .file(count: 4_000_000).stalling(after: 1_000_000, until: gate))
        }
        bridge.add((1...3).map { fixture.job(.download, "/\($0)") })
        try #require(gates[0].waitForArrivals())
        bridge.send(.startNow([3]))
        try #require(gates[2].waitForArrivals())
        #expect(gates[1].arrivals == 0)
        try #require(
            observer.wait { _ in bridge.figures(of: [1, 2, 3]).map(\.state) == [.running, .queued, .running] })
        for gate in gates { gate.release() }
        try #require(observer.waitForEnds(3))
    }

    @Test("A paused row, a failed one and one that waits for another attempt start now too")
    func startingStopped() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "first")
        server.setRoute("/1", .file(count: 4_000_000).stalling(after: 1_000_000, until: gate))
        server.setRoute("/2", .sequence([.respond(.text("no", status: 404)), .file(count: 100)]))
        server.setRoute("/3", .file(count: 100))
        var pausedJob = fixture.job(.download, "/3")
        pausedJob.startsPaused = true
        bridge.add([fixture.job(.download, "/2")])
        try #require(observer.waitForEnds())
        bridge.add([fixture.job(.download, "/1"), pausedJob])
        try #require(gate.waitForArrivals())
        bridge.send(.startNow([1, 3]))
        try #require(observer.waitForEnds(3))
        try #require(observer.wait { _ in bridge.figures(of: [1, 2, 3]).map(\.state) == [.done, .running, .done] })
        gate.release()
        try #require(observer.waitForEnds(4))
    }

    @Test("Each of two downloads that run has a connection of its own, and what has ended or waits has none")
    func connections() throws {
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "end")
        for name in ["/a", "/b"] {
            fixture.server.setRoute(name, .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        }
        bridge.send(.setLimits(TransferLimits(all: 4, perHost: 4)))
        bridge.add([fixture.job(.download, "/a"), fixture.job(.download, "/b"), Job(kind: .download, url: "http://h/")])
        bridge.pause([3])
        try #require(
            fixture.observer.wait { _ in Set(bridge.connections(of: [1, 2, 3]).values).count == 2 })
        #expect(Set(bridge.connections(of: [1, 2, 3, 99]).keys) == [1, 2])
        gate.release()
        try #require(fixture.observer.wait { _ in bridge.figures(of: [1, 2]).allSatisfy { $0.state == .done } })
        #expect(bridge.connections(of: [1, 2]).isEmpty)
    }

    @Test("Limits hold from the moment they are changed: more start at once, and what runs goes on")
    func limits() throws {
        defer { fixture.end() }
        let gates = try (1...3).map { try server.gate(named: "g\($0)") }
        for (number, gate) in gates.enumerated() {
            server.setRoute("/\(number + 1)", .file(count: 4_000_000).stalling(after: 1_000_000, until: gate))
        }
        bridge.add((1...3).map { fixture.job(.download, "/\($0)") })
        try #require(gates[0].waitForArrivals())
        bridge.send(.setLimits(TransferLimits(all: 2, perHost: 16)))
        try #require(gates[1].waitForArrivals())
        #expect(gates[2].arrivals == 0)
        bridge.send(.setLimits(TransferLimits(all: 1, perHost: 16)))
        try #require(observer.wait { _ in bridge.figures(of: [1, 2]).map(\.state) == [.running, .running] })
        gates[0].release()
        try #require(observer.waitForEnds())
        #expect(gates[2].arrivals == 0)
        gates[1].release()
        try #require(gates[2].waitForArrivals())
        gates[2].release()
        try #require(observer.waitForEnds(3))
    }

    @Test("The file of a completed download is deleted, unless it is another one by now")
    func deleting() throws {
        defer { fixture.end() }
        for name in ["f", "g"] { server.setRoute("/" + name, .file(count: 1000)) }
        bridge.add([fixture.job(.download, "/f"), fixture.job(.download, "/g")])
        try #require(observer.waitForEnds(2))
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "g"))
        let sentence = ServiceErrors.changed("\(fixture.folder.path)/g")
        let told = FileEffects.delete([1, 2], in: bridge)
        #expect(told == [.toast(SafeText(untrusted: sentence), isError: true), .rows(bridge.snapshots(of: [2]))])
        #expect(bytes(of: "f") == nil && bytes(of: "g") == Array("mine".utf8))
        // A row that could be had back would tell of a file that is not there.
        #expect(bridge.snapshots(of: [1, 2]).map(\.id) == [2])
    }
}

@Suite("Paths that are typed, and what opens files")
struct EnteredPathTests {
    @Test(
        "What is typed counts from the file's folder, a folder keeps the name, and what names no file is refused",
        arguments: [
            ("g", "/d/g"), ("sub/g", "/d/sub/g"), ("../g", "/g"), ("/x/g", "/x/g"), ("/x/", "/x/f"),
            ("sub/", "/d/sub/f"),
            ("~/g", "/home/me/g"), ("~", "/home/me/f"), ("..", "/f"), ("/", "/f"), ("a\u{0}b", nil),
        ] as [(String, String?)])
    func places(typed: String, path: String?) {
        #expect(EnteredPath.path(typed: typed, for: "/d/f", home: "/home/me") == path)
    }

    @Test("A path is a folder and a name")
    func parts() {
        #expect(EnteredPath.parts(of: "/d/f").folder == "/d" && EnteredPath.parts(of: "/d/f").name == "f")
        #expect(EnteredPath.parts(of: "/f").folder == "/" && EnteredPath.parts(of: "f").folder == ".")
    }

    @Test(
        "Files open where somebody sees it: over ssh and without a display the path is copied",
        arguments: [
            (["DISPLAY": ":0"], nil, .run("xdg-open")), (["WAYLAND_DISPLAY": "wayland-0"], nil, .run("xdg-open")),
            (["DISPLAY": ":0"], "feh", .run("feh")), ([:], "tmux-open", .run("tmux-open")),
            ([:], nil, .copy(reason: OpeningReasons.noDisplay)),
            (["SSH_CONNECTION": "a b", "DISPLAY": ":0"], nil, .copy(reason: OpeningReasons.remote)),
            (["SSH_CONNECTION": "a b"], "feh", .copy(reason: OpeningReasons.remote)),
            (["SSH_CONNECTION": "", "DISPLAY": ":0"], nil, .run("xdg-open")),
        ] as [([String: String], String?, FileOpener.Plan)])
    func openers(environment: [String: String], command: String?, plan: FileOpener.Plan) {
        let environment = environment.merging(["PATH": "/none:/usr/bin"]) { $1 }
        let opener = FileOpener(command: command, environment: environment) { $0 == "/usr/bin/xdg-open" }
        #expect(opener.plan == plan)
    }

    @Test("Where the desktop's command is missing the path is copied, and the setting for another one is named")
    func missingOpener() {
        let environment = ["DISPLAY": ":0", "PATH": "/usr/bin"]

        #expect(FileOpener(environment: environment) { _ in false }.plan == .copy(reason: OpeningReasons.noProgram))
        #expect(FileOpener(command: "feh", environment: environment) { _ in false }.plan == .run("feh"))
    }

    @Test("A command gets the path as one argument, and its failure is told")
    func running() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/it's; a $(name)"
        #expect(FileOpener.run("touch", path) == nil)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(
            FileOpener.run("netdash-no-such-command", path) == CommandErrors.notStarted("netdash-no-such-command"))
        #expect(FileOpener.run("false", "/x") == CommandErrors.notOpened("false", "/x"))
    }
}
