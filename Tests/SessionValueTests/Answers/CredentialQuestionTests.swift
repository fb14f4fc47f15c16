import FoundationNetworking
import Testing

@testable import SessionCore

/// What follows the caller's answers to challenges: tables, without a transfer.
@Suite("Answers to challenges")
struct CredentialQuestionTests {
    typealias Question = CredentialQuestion

    static let origin = Origin(scheme: "https", host: "host", port: 8443)
    static let digest = AuthenticationOffer(scheme: "Digest", parameters: ["realm": "r"])
    static let basic = AuthenticationOffer(scheme: "Basic", parameters: ["realm": "s"])
    static let head = ResponseHead(statusCode: 401, url: "https://host:8443/")
    static let refusal = SessionError(.http, "no tunnel", failingURL: "https://host:8443/")
    static let certificate = ClientCertificate(file: "/c.pem", keyFile: "/k.pem")

    static let answers: [EngineChallengeAnswer] = [
        .performDefault, .acceptTrust, .useCredentials(user: "u", password: "p"), .showCertificate(certificate),
        .rejectProtectionSpace, .cancel,
    ]

    private static func question(
        _ offers: [AuthenticationOffer], _ asker: Question.Asker = .server(origin),
        otherwise fallback: Question.Fallback = .response(head)
    ) -> Question { Question(asker, offers: offers, refusals: 2, otherwise: fallback) }

    @Test("Every answer leads to one step, whoever asks and whatever counts otherwise", arguments: 0..<4)
    func everyAnswer(row: Int) throws {
        let proxy = try Proxy("proxy:3128")
        let asker: Question.Asker = row & 1 == 0 ? .server(Self.origin) : .proxy(proxy)
        let fallback: Question.Fallback = row & 2 == 0 ? .response(Self.head) : .failure(Self.refusal)
        func question(_ offers: [AuthenticationOffer]) -> Question {
            Self.question(offers, asker, otherwise: fallback)
        }
        let given = HTTPCredentials(offer: Self.digest, user: "u", password: "p")
        let asked = question([Self.digest, Self.basic])
        #expect(
            Self.answers.map { asked.reply(to: $0) } == [
                .decline, .decline, .show(given), .decline, .askAgain(question([Self.basic])), .cancel,
            ])
        #expect(asked.isBeforeAttempt == (row & 2 != 0) && asked.asker == asker && asked.fallback == fallback)
        #expect(Self.answers.allSatisfy { question([]).reply(to: $0) == .decline }, "nothing was asked")
    }

    @Test("The challenge is about the first scheme left, names who asks, and counts refusals")
    func challenges() throws {
        func kind(_ scheme: String, isProxy: Bool) -> EngineChallenge.Kind {
            .credentials(scheme: scheme, isProxy: isProxy)
        }
        let asked = Self.question([Self.digest, Self.basic])
        #expect(
            asked.challenge
                == EngineChallenge(
                    kind: kind("Digest", isProxy: false), scheme: "https", host: "host", port: 8443, realm: "r",
                    previousFailures: 2))
        guard case .askAgain(let next) = asked.reply(to: .rejectProtectionSpace) else {
            Issue.record("the next scheme is not asked about")
            return
        }
        #expect(next.challenge?.kind == kind("Basic", isProxy: false) && next.challenge?.realm == "s")
        guard case .askAgain(let last) = next.reply(to: .rejectProtectionSpace) else {
            Issue.record("the last scheme cannot be rejected")
            return
        }
        #expect(last.challenge == nil)
        let ofProxy = Self.question([Self.basic], .proxy(try Proxy("proxy:3128")), otherwise: .failure(Self.refusal))
        #expect(
            ofProxy.challenge
                == EngineChallenge(
                    kind: kind("Basic", isProxy: true), scheme: "http", host: "proxy", port: 3128, realm: "s",
                    previousFailures: 2))
    }

    @Test("An answer that belongs to another kind of challenge is the default")
    func fitting() {
        let trust = ServerTrust(host: "h", certificates: [], isTrustedBySystem: false)
        let kinds: [AuthenticationChallenge.Kind] = [
            .serverTrust(trust), .credentials(scheme: "Basic", isProxy: false),
            .credentials(scheme: "Basic", isProxy: true), .clientCertificate(acceptedIssuers: []),
        ]
        let credential = URLCredential(user: "u", password: "p", persistence: .none)
        let rows: [(ChallengeResponse, fits: [Bool])] = [
            (.trust, [true, false, false, false]), (.use(credential), [false, true, true, false]),
            (.show(Self.certificate), [false, false, false, true]), (.performDefault, [true, true, true, true]),
            (.rejectProtectionSpace, [true, true, true, true]), (.cancel, [true, true, true, true]),
            (.fail(Self.refusal), [true, true, true, true]),
        ]
        for (response, fits) in rows {
            for (kind, fits) in zip(kinds, fits) {
                let expected = fits ? "\(response)" : "performDefault"
                #expect("\(response.fitting(kind))" == expected, "\(kind)")
            }
        }
    }

    @Test("Every answer about a chain or a client certificate leads to one step")
    func trust() {
        let chain = CallerQuestion.trustQuestion(.serverTrust(chain: [[1]], isTrustedBySystem: false))
        #expect(
            Self.answers.map { chain.reply(to: $0) } == [
                .remember(.policy), .remember(.accepted), .remember(.policy), .remember(.policy), .refuse, .cancel,
            ])
        let request = CallerQuestion.trustQuestion(.clientCertificate(acceptedIssuers: []))
        let none = TrustReview.Question.Reply.remember(.shows(nil))
        #expect(
            Self.answers.map { request.reply(to: $0) } == [
                none, none, none, .remember(.shows(Self.certificate)), none, .cancel,
            ])
    }
}
