// swift-format-ignore-file
// Made of Sources/SessionCore/Security; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfAuthenticationChallenge() async throws {
        manager.onTaskChallenge = { _, challenge in
            guard case .credentials = challenge.kind else { return .performDefault }
            guard challenge.previousFailureCount == 0 else { return .cancel }
            return .use(URLCredential(user: "a", password: "b", persistence: .none))
        }
    }
    mutating func exampleOfAuthenticationChallengeKind() async throws {
        manager.onSessionChallenge = { challenge in
            if case .serverTrust(let trust) = challenge.kind { print(trust.host) }
            return .performDefault
        }
    }
    mutating func exampleOfServerTrust() async throws {
        manager.onSessionChallenge = { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return .performDefault }
            return trust.host == "localhost" && trust.certificates.count == 1 ? .trust : .performDefault
        }
    }
    mutating func exampleOfChallengeResponse() async throws {
        manager.onSessionChallenge = { _ in .performDefault }
    }
    mutating func exampleOfHostSecurityPolicies() async throws {
        manager.hostSecurityPolicies = ["*.example.org": try SecurityPolicy(pinningMode: .publicKey)]
    }
    mutating func exampleOfSecurityPolicy() async throws {
        var policy = try SecurityPolicy(pinningMode: .certificate)
        try policy.pin([Data(contentsOf: file)])
        manager.securityPolicy = policy
        _ = policy
    }
    mutating func exampleOfSecurityPolicyPinningMode() async throws {
        print(try SecurityPolicy(pinningMode: .publicKey).pinningMode == .publicKey)
    }
}
