import Foundation
import FoundationNetworking
import SessionSupport

/// Challenges and repeated bodies: questions the engine waits on.
extension TaskRecord {
    /// A closure that always answers would try forever; after this many refusals the default applies.
    private static let refusalLimit = 3

    /// Asks the session's closure alone about a server's trust if it is set, else the task's closure, else applies the
    /// default.
    ///
    /// A client certificate may come from either. The engine waits for the answer, so exactly one is given.
    func answer(
        _ challenge: EngineChallenge, of task: SessionTask, reply: @escaping @Sendable (EngineChallengeAnswer) -> Void
    ) {
        let shown = SessionCredentials.Space(challenge).flatMap { space in mutable.withLock { $0.answers?[space] } }
        if let known = session.credentials.withLock({ $0.answer(to: challenge, shown: shown) }) {
            noteAnswer(known, to: challenge)
            return reply(known)
        }
        let closure = closure(for: challenge)
        guard let closure, challenge.previousFailures < Self.refusalLimit else { return reply(.performDefault) }
        Task {
            let question = AuthenticationChallenge(challenge)
            let response = await closure(task, question).fitting(question.kind)
            let answer = self.engineAnswer(response)
            if case .use(let credential) = response {
                self.session.credentials.withLock { $0.keep(credential, answer, for: challenge) }
            }
            self.noteAnswer(answer, to: challenge)
            reply(answer)
        }
    }

    /// Records in whose name the response will be, because the sender was another one before.
    private func noteAnswer(_ answer: EngineChallengeAnswer, to challenge: EngineChallenge) {
        session.credentials.withLock { $0.keepCertificate(answer, for: challenge) }
        guard case .useCredentials = answer, let space = SessionCredentials.Space(challenge) else { return }
        mutable.withLock { mutable in
            mutable.answers?[space] = answer
            mutable.cacheUse = mutable.cacheUse?.answered
        }
    }

    private func closure(
        for challenge: EngineChallenge
    ) -> (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeResponse)? {
        let ofTask = manager.handler(\.onTaskChallenge)
        guard let ofSession = manager.handler(\.onSessionChallenge) else { return ofTask }
        switch challenge.kind {
        case .credentials: return ofTask
        case .serverTrust: return { _, challenge in await ofSession(challenge) }
        case .clientCertificate:
            return { task, challenge in
                let response = await ofSession(challenge).fitting(challenge.kind)
                guard case .performDefault = response, let ofTask else { return response }
                return await ofTask(task, challenge)
            }
        }
    }

    /// Makes a body to send again: from the manager's closure, else the task's provider, else none.
    func replaceBody(of task: SessionTask, reply: @Sendable (SentBody?) -> Void) {
        do throws(SessionError) {
            guard let body = try newBody(of: task) else { return reply(nil) }
            reply(try SentBody(body, throttle: mutable.withLock { $0.closures.throttle }))
        } catch {
            // The error says more than a missing body.
            mutable.withLock { $0.failure = $0.failure ?? error }
            reply(nil)
        }
    }

    private func newBody(of task: SessionTask) throws(SessionError) -> BodySpecification? {
        if let body = manager.handler(\.onNeedNewBody)?(task) { return body }
        return try mutable.withLock { $0.closures.makeBody }?()
    }

    private func engineAnswer(_ response: ChallengeResponse) -> EngineChallengeAnswer {
        switch response {
        case .performDefault: return .performDefault
        case .trust: return .acceptTrust
        case .rejectProtectionSpace: return .rejectProtectionSpace
        case .cancel: return .cancel
        case .show(let certificate): return .showCertificate(certificate)
        case .use(let credential):
            guard let user = credential.user, let password = credential.password else { return .performDefault }
            return .useCredentials(user: user, password: password)
        case .fail(let error):
            mutable.withLock { $0.failure = $0.failure ?? error }
            return .cancel
        }
    }
}
