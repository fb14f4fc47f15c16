import Foundation
import FoundationNetworking
import SessionSupport
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerChallengeTests {
    private let fixture = ManagerFixture()
    private let answers = EventLog<EngineChallengeAnswer>()

    private func challenge(_ kind: EngineChallenge.Kind, failures: Int = 0) -> EngineChallenge {
        EngineChallenge(
            kind: kind, scheme: "https", host: "example.org", port: 443, realm: "r", previousFailures: failures)
    }

    private var trust: EngineChallenge { challenge(.serverTrust(chain: [[1], [2]], isTrustedBySystem: false)) }
    private var basic: EngineChallenge { challenge(.credentials(scheme: "Basic", isProxy: false)) }

    private func ask(_ challenge: EngineChallenge, _ task: SessionTask) async -> EngineChallengeAnswer? {
        let count = answers.entries.count
        fixture.engine.publish(.challenge(task.id, challenge, reply: { [answers] in answers.add($0) }))
        return await answers.wait(count: count + 1).last
    }

    @Test("A19 H04: without a closure the default applies and the engine does not wait")
    func withoutAClosureTheDefaultApplies() async throws {
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(fixture.engine.description(of: task)?.asks(.challenge) == false)
        #expect(await ask(trust, task) == .performDefault)
        #expect(await ask(basic, task) == .performDefault)
    }

    @Test("E02 KB32: the session's closure alone decides about trust")
    func theSessionsClosureAloneDecidesAboutTrust() async throws {
        let seen = EventLog<String>()
        fixture.manager.onSessionChallenge = { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return .cancel }
            seen.add("\(trust.host) \(trust.certificates.count) \(trust.isTrustedBySystem)")
            return .trust
        }
        fixture.manager.onTaskChallenge = { _, _ in
            .use(URLCredential(user: "u", password: "p", persistence: .none))
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(fixture.engine.description(of: task)?.asks(.challenge) == true)
        #expect(await ask(trust, task) == .acceptTrust)
        #expect(await ask(basic, task) == .useCredentials(user: "u", password: "p"))
        #expect(seen.entries == ["example.org 2 false"])
    }

    @Test("E04 H04: the task's closure has four answers, and an error replaces the task's")
    func theTasksClosureHasFourAnswers() async throws {
        let wanted = EventLog<ChallengeResponse>()
        fixture.manager.onTaskChallenge = { _, challenge in
            #expect(challenge.protectionSpace.host == "example.org")
            return wanted.entries.last ?? .performDefault
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await ask(basic, task) == .performDefault)
        wanted.add(.cancel)
        #expect(await ask(basic, task) == .cancel)
        wanted.add(.rejectProtectionSpace)
        #expect(await ask(basic, task) == .rejectProtectionSpace)
        wanted.add(.fail(SessionError(.authenticationRequired, "No key in this house")))
        #expect(await ask(basic, task) == .cancel)
        fixture.engine.finish(task.id, .failed(.cancelled))
        let error = await task.completion().error as? SessionError
        #expect(error?.code == .authenticationRequired)
    }

    @Test(
        "E03: an answer that belongs to another kind of challenge leaves a client certificate to the task's closure",
        arguments: [
            ChallengeResponse.performDefault, .trust, .use(URLCredential(user: "u", password: "p", persistence: .none)),
        ])
    func otherKindsOfAnswers(response: ChallengeResponse) async throws {
        let certificate = ClientCertificate(file: "/c.pem")
        fixture.manager.onSessionChallenge = { _ in response }
        fixture.manager.onTaskChallenge = { _, _ in .show(certificate) }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await ask(challenge(.clientCertificate(acceptedIssuers: [])), task) == .showCertificate(certificate))
    }

    @Test("An error given for a question that is gone does not turn a success into a failure")
    func lateError() async throws {
        fixture.manager.onTaskChallenge = { _, _ in .fail(SessionError(.authenticationRequired, "Too late")) }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await ask(basic, task) == .cancel)
        fixture.engine.complete(task)
        #expect(await task.completion().error == nil)
    }

    @Test("A credential for the session answers later tasks of its origin, realm and scheme until it is refused")
    func sessionCredential() async throws {
        let asked = EventLog<String>()
        fixture.manager.onTaskChallenge = { _, challenge in
            asked.add("\(challenge.protectionSpace.host) \(challenge.previousFailureCount)")
            return .use(URLCredential(user: "u", password: "p\(asked.entries.count)", persistence: .forSession))
        }
        func newAnswer(_ challenge: EngineChallenge) async throws -> EngineChallengeAnswer? {
            let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
            task.resume()
            return await ask(challenge, task)
        }
        let first = EngineChallengeAnswer.useCredentials(user: "u", password: "p1")
        #expect(try await newAnswer(basic) == first)
        #expect(try await newAnswer(basic) == first && asked.entries.count == 1)
        // Elsewhere it is not known.
        var others = Array(repeating: basic, count: 4)
        (others[0].host, others[1].port, others[2].scheme) = ("example.com", 8443, "http")
        others[3].realm = "other"
        others.append(challenge(.credentials(scheme: "Digest", isProxy: false)))
        for (index, other) in others.enumerated() {
            #expect(try await newAnswer(other) == .useCredentials(user: "u", password: "p\(index + 2)"))
        }
        // A refused one is asked for again, and the new answer counts.
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await ask(basic, task) == first)
        let latest = EngineChallengeAnswer.useCredentials(user: "u", password: "p7")
        #expect(await ask(refused, task) == latest)
        #expect(try await newAnswer(basic) == latest && asked.entries.count == 7)
    }

    private var refused: EngineChallenge { challenge(.credentials(scheme: "Basic", isProxy: false), failures: 1) }

    private func start(_ count: Int) throws -> [SessionTask] {
        try (0..<count).map { _ in
            let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
            task.resume()
            return task
        }
    }

    @Test("Only the credential that was refused is forgotten: a newer one is tried before the closure is asked again")
    func newerCredential() async throws {
        let asked = EventLog<Int>()
        fixture.manager.onTaskChallenge = { _, challenge in
            asked.add(challenge.previousFailureCount)
            return .use(URLCredential(user: "u", password: "p\(asked.entries.count)", persistence: .forSession))
        }
        func password(_ number: Int) -> EngineChallengeAnswer { .useCredentials(user: "u", password: "p\(number)") }
        let tasks = try start(4)
        for task in tasks[..<2] { #expect(await ask(basic, task) == password(1)) }
        // The password was changed at the server.
        for task in tasks[..<2] { #expect(await ask(refused, task) == password(2)) }
        #expect(await ask(basic, tasks[2]) == password(2))
        // What the request's options had is refused.
        #expect(await ask(refused, tasks[3]) == password(2))
        #expect(asked.entries == [0, 1])
        #expect(await ask(refused, tasks[3]) == password(3))
        #expect(asked.entries == [0, 1, 1])
    }

    @Test("An answer that comes after its session was invalidated is not kept")
    func lateAnswer() async throws {
        let asked = EventLog<Int>()
        let gate = EventLog<Int>()
        fixture.manager.onTaskChallenge = { _, challenge in
            asked.add(1)
            _ = await gate.wait(count: 1)
            guard case .clientCertificate = challenge.kind else {
                return .use(URLCredential(user: "u", password: "p", persistence: .forSession))
            }
            return .show(ClientCertificate(file: "/c.pem"))
        }
        let session = fixture.manager.session
        let challenges = [basic, challenge(.clientCertificate(acceptedIssuers: []))]
        for (challenge, task) in zip(challenges, try start(2)) {
            fixture.engine.publish(.challenge(task.id, challenge, reply: { [answers] in answers.add($0) }))
        }
        _ = await asked.wait(count: 2)
        session.invalidate(cancellingTasks: false)
        gate.add(1)
        #expect(await answers.wait(count: 2).contains(.useCredentials(user: "u", password: "p")))
        let (answer, certificate) = session.credentials.withLock {
            ($0.answer(to: basic), $0.certificate(for: "https://example.org/"))
        }
        #expect(answer == nil && certificate == nil)
    }

    @Test("A credential for one task is asked for by each, and one for the session ends with it")
    func persistence() async throws {
        let asked = EventLog<Int>()
        fixture.manager.onTaskChallenge = { _, _ in
            asked.add(1)
            return .use(URLCredential(user: "u", password: "p", persistence: .none))
        }
        for _ in 1...2 {
            let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
            task.resume()
            #expect(await ask(basic, task) == .useCredentials(user: "u", password: "p"))
        }
        #expect(asked.entries.count == 2)
        var kept = SessionCredentials()
        let answer = EngineChallengeAnswer.useCredentials(user: "u", password: "p")
        kept.keep(URLCredential(user: "u", password: "p", persistence: .permanent), answer, for: basic)
        #expect(kept.answer(to: basic) == answer)
        let session = fixture.manager.session
        session.credentials.withLock { $0 = kept }
        session.invalidate(cancellingTasks: true)
        #expect(session.credentials.withLock { $0.answer(to: basic) } == nil)
    }

    @Test("KB34: a closure that always answers is not asked for ever")
    func aClosureIsNotAskedForEver() async throws {
        fixture.manager.onTaskChallenge = { _, _ in
            .use(URLCredential(user: "u", password: "p", persistence: .none))
        }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        let refused = challenge(.credentials(scheme: "Basic", isProxy: false), failures: 3)
        #expect(await ask(refused, task) == .performDefault)
    }

    @Test("E05 KB40: a body that has to be sent again comes from the closure, else from its provider")
    func aBodyIsMadeAgain() async throws {
        struct Provider: BodyProvider {
            let made: EventLog<Int>
            func makeBody() throws(SessionError) -> BodySpecification {
                made.add(1)
                return .bytes([UInt8(made.entries.count)])
            }
        }
        let made = EventLog<Int>()
        let bodies = EventLog<BodySpecification?>()
        let url = try #require(URL(string: fixture.request.url))
        let task = try fixture.manager.uploadTask(
            with: URLRequest(url: url), from: Provider(made: made), completionHandler: nil)
        task.resume()
        #expect(fixture.engine.description(of: task)?.asks(.body) == true)
        fixture.engine.publish(.needsBody(task.id, reply: { bodies.add($0?.specification) }))
        #expect(await bodies.wait(count: 1) == [.bytes([2])])
        fixture.manager.onNeedNewBody = { _ in .bytes([9]) }
        fixture.engine.publish(.needsBody(task.id, reply: { bodies.add($0?.specification) }))
        #expect(await bodies.wait(count: 2).last == .bytes([9]))
    }
}
