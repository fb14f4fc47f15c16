import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// Uploads and requests that one run of the bridge has begun, and the next one has.
@Suite("Uploads of a saved session", .timeLimit(.minutes(1)))
struct SavedUploadTests {
    private let fixture: SavedSessionFixture
    private var server: LoopbackServer { fixture.server }
    private var folder: URL { fixture.folder }

    init() throws { fixture = try SavedSessionFixture() }

    private func end() { fixture.end() }

    private func run(_ observer: EffectsObserver = EffectsObserver()) throws -> LocalService {
        try fixture.run(observer)
    }

    @Test(
        "A request and an upload of an earlier run are done whatever type their responses have",
        arguments: [Job.Kind.data, .upload])
    func responseOfAnyType(kind: Job.Kind) throws {
        defer { end() }
        let path = folder.path + "/body"
        try Data("content".utf8).write(to: URL(fileURLWithPath: path))
        let gate = try server.gate(named: "slow")
        let page = Behaviour.respond(ScriptedResponse(200, headers: ["Content-Type": "text/html"]))
        server.setRoute("/in", .sequence([page.waiting(for: gate), page]))
        var job = Job(kind: kind, url: server.url("/in"))
        if kind == .upload { job.body = .file(path: path) }
        let first = try run()
        first.add([job])
        try #require(gate.waitForArrivals())
        _ = first.close()
        gate.release()
        let observer = EffectsObserver()
        let second = try run(observer)
        defer { _ = second.close() }
        // An upload whose body had arrived waits for its user.
        if second.allSnapshots.map(\.state) == [.paused] { second.send(.resume(second.allSnapshots.map(\.id))) }
        try #require(observer.waitForEnds())
        #expect(second.results == [.completed])
    }

    @Test(
        "An upload that is repeated after its run was ended goes on as its row, also where its secrets were not saved",
        arguments: [true, false], [true, false])
    func repeatedUpload(hasSecret: Bool, showsRows: Bool) throws {
        defer { end() }
        let path = folder.path + "/body"
        try Data("content".utf8).write(to: URL(fileURLWithPath: path))
        let gate = try server.gate(named: "slow")
        server.setRoute("/in", .sequence([Behaviour.respond(.text("late")).waiting(for: gate), .uploadSink()]))
        var upload = Job(kind: .upload, url: server.url("/in"), body: .file(path: path))
        if hasSecret { upload.headers = ["Authorization": "Bearer sesame"] }
        let first = try run()
        first.add([upload])
        try #require(gate.waitForArrivals())
        _ = first.close()
        gate.release()
        let observer = EffectsObserver(showsRows: showsRows)
        let second = try run(observer)
        defer { _ = second.close() }
        second.add([upload])
        if second.allSnapshots.contains(where: { $0.state == .paused }) {
            // Its body had arrived, so that its user decides.
            second.send(.resume(second.allSnapshots.map(\.id)))
        }
        try #require(observer.wait { _ in second.isIdle && second.results.last == .completed })
        #expect(second.results == [.completed])
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.header("Authorization") == (hasSecret ? "Bearer sesame" : nil))
        // Another file is another upload, and so is the same one once it is complete.
        let other = folder.path + "/other"
        try Data("other".utf8).write(to: URL(fileURLWithPath: other))
        second.add([Job(kind: .upload, url: server.url("/in"), body: .file(path: other)), upload])
        #expect(second.allSnapshots.count == 3)
    }
}
