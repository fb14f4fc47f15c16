import LoopbackServer
import Testing

@testable import TransferService

/// Requests that try what a server can do, against one on loopback.
@Suite("Trials of a server", .timeLimit(.minutes(1)))
struct ServerTrialTests {
    /// A server with one file, which runs as long as this does.
    private final class Fixture {
        let server = LoopbackServer()
        let trial: ServerTrial

        init(_ behaviour: (LoopbackServer) throws -> Behaviour) throws {
            try server.start()
            server.setRoute("/file", try behaviour(server))
            trial = try #require(
                ServerTrial(Job(kind: .data, url: server.url("/file")), settings: ServiceSettings()))
        }

        deinit { server.stop() }
    }

    @Test("An answer has the status, the length of the complete file and a strong validator")
    func answers() throws {
        let fixture = try Fixture { _ in .resource(ServedResource(seed: 1, count: 5_000)) }
        let expected = ServerTrial.Answer(status: 206, length: 5_000, validator: "\"1-5000\"")
        #expect(fixture.trial.answer(to: [("Range", "bytes=0-0")]) == expected)
        #expect(fixture.trial.answer(to: [])?.status == 200)
        fixture.server.stop()
        #expect(fixture.trial.answer(to: []) == nil)
    }

    @Test("A weak tag is no validator")
    func weakTag() throws {
        let fixture = try Fixture { _ in
            .resource(ServedResource(body: .generated(seed: 1, count: 10), entityTag: "W/\"v1\""))
        }
        let answer = try #require(fixture.trial.answer(to: [("Range", "bytes=0-0")]))
        #expect(answer.status == 206 && answer.validator == nil)
    }

    @Test("A sample stops when it has enough bytes")
    func byteLimit() throws {
        let fixture = try Fixture { _ in .file(count: 1 << 40) }
        let sample = fixture.trial.sample(
            ["bytes=0-999999999", "bytes=1000000000-1999999999"], bytes: 4_000_000, seconds: 30)
        #expect(sample.connections == 2 && sample.failures == 0)
        #expect((4_000_000..<40_000_000).contains(sample.bytes))
        #expect(sample.rate != nil)
    }

    @Test("A sample stops when its time is over, also while no byte comes")
    func timeLimit() throws {
        let fixture = try Fixture { server in
            Behaviour.file(count: 1 << 30).stalling(after: 100_000, until: try server.gate(named: "for ever"))
        }
        let sample = fixture.trial.sample([nil], bytes: 8 << 20, seconds: 0.2)
        #expect((1...100_000).contains(sample.bytes) && sample.failures == 0)
    }

    @Test("Connections that the server refuses count as failures")
    func refusals() throws {
        let fixture = try Fixture { _ in .refusing(ScriptedResponse(503)) }
        let sample = fixture.trial.sample([nil, nil], bytes: 1_000, seconds: 5)
        #expect(sample.failures == 2)
    }
}
