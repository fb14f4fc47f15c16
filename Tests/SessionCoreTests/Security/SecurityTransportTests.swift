import CCurl
import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Who is trusted, with real handshakes on loopback.
@Suite(
    "Security policy on the wire", .timeLimit(.minutes(1)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct SecurityTransportTests {
    private func makeManager() -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 0
        configuration.connectTimeout = 30
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private func run(
        _ manager: SessionManager, _ url: String, timeLimit: Double? = nil
    ) async throws -> TaskCompletion {
        var options = RequestOptions()
        options.timeLimit = timeLimit
        var request = TransferRequest(url: url)
        request.options = timeLimit == nil ? nil : options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    private func code(_ manager: SessionManager, _ url: String) async throws -> SessionError.Code? {
        (try await run(manager, url).error as? SessionError)?.code
    }

    private func pinning(_ mode: SecurityPolicy.PinningMode, _ pins: Data...) throws -> SecurityPolicy {
        var policy = try SecurityPolicy(pinningMode: mode, pinnedCertificates: Set(pins))
        policy.allowsInvalidCertificates = true
        return policy
    }

    @Test("The default policy refuses a server that nobody vouches for, once")
    func defaultPolicyRefuses() async throws {
        let server = try OpenSSLServer()
        let completion = try await run(makeManager(), server.url)
        let error = try #require(completion.error as? SessionError)
        #expect(error.code == .certificate && completion.status.failedAttempts <= 1)
        #expect(error.urlError.code == .serverCertificateUntrusted)
    }

    @Test("A refused certificate is refused with the reason")
    func reasons() async throws {
        func message(_ server: OpenSSLServer, _ policy: SecurityPolicy = .default) async throws -> String {
            let manager = makeManager()
            manager.securityPolicy = policy
            return try #require(try await run(manager, server.url).error as? SessionError).message
        }
        let alone = try OpenSSLServer()
        #expect(try await message(alone).hasSuffix("not trusted: \(TrustReasons.selfSigned)"))
        let other = try OpenSSLServer(.init(names: "DNS:example.org"))
        let wrongName = try await message(other, pinning(.publicKey, other.certificate()))
        #expect(wrongName.hasSuffix("not trusted: \(TrustReasons.otherHost)"))
        let unknown = try OpenSSLServer(.init(hasAuthority: true))
        #expect(try await message(unknown).hasSuffix("not trusted: \(TrustReasons.unknownIssuer)"))
        let unpinned = try await message(alone, pinning(.publicKey, other.certificate()))
        #expect(unpinned.hasSuffix("not trusted: \(TrustReasons.notPinned)"))
    }

    @Test("A policy that can accept no server says what it lacks, and a pin that is not valid now says so")
    func reasonsOfPolicies() async throws {
        let server = try OpenSSLServer()
        let expired = try OpenSSLServer(.init(hasAuthority: true, flaw: .expired))
        func message(_ server: OpenSSLServer, _ policy: SecurityPolicy) async throws -> String {
            let manager = makeManager()
            manager.securityPolicy = policy
            return try #require(try await run(manager, server.url).error as? SessionError).message
        }
        for mode in [SecurityPolicy.PinningMode.certificate, .publicKey] {
            #expect(try await message(server, pinning(mode)).hasSuffix("not trusted: no pins are set"))
        }
        var careless = SecurityPolicy.default
        careless.allowsInvalidCertificates = true
        #expect(
            try await message(server, careless).hasSuffix(
                "not trusted: self-signed; accepting invalid certificates needs pins"))
        try careless.pin([expired.certificate()])
        #expect(
            try await message(server, careless).hasSuffix("not trusted: self-signed; pins are set, but no pinning mode")
        )
        let pinned = try await message(expired, pinning(.certificate, expired.certificate()))
        #expect(pinned.contains("not trusted: expired (system date "), "\(pinned)")
        let manager = makeManager()
        manager.securityPolicy = try pinning(.publicKey, expired.certificate())
        #expect(try await code(manager, expired.url) == nil)
    }

    @Test(
        "A chain that is not valid now, or whose authority is none, is refused once with the reason and the clock, and no request goes out",
        arguments: [
            (OpenSSLServer.Flaw.expired, ": expired (system date "),
            (.notYetValid, ": not valid yet (system date "),
            (.authorityIsNone, "invalid CA certificate"),
        ])
    func flaws(flaw: OpenSSLServer.Flaw, reason: String) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true, flaw: flaw), keepsAlive: true)
        var request = TransferRequest(url: server.url)
        var options = RequestOptions()
        options.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        request.options = options
        let task = try makeManager().dataTask(with: request, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        let error = try #require(completion.error as? SessionError)
        #expect(error.code == .certificate && completion.metrics.earlierAttempts.isEmpty)
        #expect(error.message.contains(reason), "\(error.message)")
        if flaw != .authorityIsNone { #expect(error.message.hasSuffix("\(UniversalTime(Int64(time(nil))).date))")) }
        #expect(server.answerCount == 0 && !server.hasReceived("GET "))
    }

    @Test("A server that offers only versions of TLS before 1.2 gets no request", arguments: ["-tls1", "-tls1_1"])
    func oldVersions(version: String) async throws {
        let server = try OpenSSLServer(
            .init(hasAuthority: true, options: [version, "-cipher", "ALL:@SECLEVEL=0"]), keepsAlive: true)
        var request = TransferRequest(url: server.url)
        var options = RequestOptions()
        options.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        request.options = options
        let task = try makeManager().dataTask(with: request, completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.code == .tls, "\(error)")
        #expect(server.answerCount == 0 && !server.hasReceived("GET "))
    }

    @Test("A good chain whose key is not pinned gets no byte of the request", arguments: [true, false])
    func noByteToUnpinned(byOption: Bool) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true), keepsAlive: true)
        let other = try OpenSSLServer()
        let manager = makeManager()
        var request = TransferRequest(url: server.url)
        var options = RequestOptions()
        options.authorities = AuthorityFiles(file: server.folder.path + "/authority.pem")
        if byOption {
            let digest = try #require(Certificates.keyDigest(of: [UInt8](other.certificate())))
            options.keyPins = ["sha256//" + Base64.encode(digest)]
        } else {
            manager.securityPolicy = try pinning(.publicKey, other.certificate())
        }
        request.options = options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.code == .certificate && error.message.contains("match any pin"), "\(error)")
        #expect(error.peerCertificates.first == [UInt8](try server.certificate()) || byOption)
        #expect(server.answerCount == 0 && !server.hasReceived("GET "))
        // The same server gets requests of those who pin its own key.
        let digest = try #require(Certificates.keyDigest(of: [UInt8](server.certificate())))
        options.keyPins = ["sha256//" + Base64.encode(digest)]
        request.options = options
        let good = try makeManager().dataTask(with: request, completionHandler: nil)
        good.resume()
        #expect(await good.completion().error == nil)
        #expect(server.answerCount == 1)
    }

    @Test("A certificate that has its name only as a common name is refused")
    func commonName() async throws {
        let server = try OpenSSLServer(.init(names: "", commonName: "localhost"))
        let manager = makeManager()
        manager.securityPolicy = try pinning(.publicKey, server.certificate())
        let url = server.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let error = try #require(try await run(manager, url).error as? SessionError)
        #expect(error.message.hasSuffix(TrustReasons.namesNoHost))
    }

    @Test("A body that ends with a secure connection is whole only when the server says that it has ended")
    func unsaidEnd() async throws {
        let server = try OpenSSLServer(keepsAlive: true, answer: "HTTP/1.1 200 OK\r\n\r\nhalf of it")
        let manager = makeManager()
        manager.securityPolicy = try pinning(.publicKey, server.certificate())
        let task = try manager.dataTask(
            with: TransferRequest(url: server.url),
            downloadProgress: { progress in if progress.completedUnitCount == 10 { server.fallSilent() } },
            completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.code == .truncated)
    }

    @Test("A name that libcurl refuses is the reason, whatever it has left as the result of the chain")
    func wrongName() {
        for verification in [0, 1] {
            let problem = CurlFailure.certificateProblem(
                verification: verification, result: CURLE_PEER_FAILED_VERIFICATION)
            #expect(problem == TrustReasons.otherHost)
        }
        #expect(
            CurlFailure.certificateProblem(verification: 10, result: CURLE_PEER_FAILED_VERIFICATION)
                == TrustReasons.expired)
        #expect(CurlFailure.certificateProblem(verification: 1, result: CURLE_SSL_CACERT_BADFILE) == nil)
    }

    @Test("H05 KB33: a pinned certificate is accepted, another pin is refused, and the refusal has the chain")
    func certificatePin() async throws {
        let server = try OpenSSLServer()
        let other = try OpenSSLServer()
        let manager = makeManager()
        for mode in [SecurityPolicy.PinningMode.certificate, .publicKey] {
            manager.securityPolicy = try pinning(mode, server.certificate())
            #expect(try await run(manager, server.url).error == nil)
            manager.securityPolicy = try pinning(mode, other.certificate())
            let error = try #require(try await run(manager, server.url).error as? SessionError)
            #expect(error.code == .certificate)
            #expect(error.peerCertificates == [[UInt8](try server.certificate())])
            #expect(
                error.urlError.errorUserInfo[SessionError.peerCertificatesKey] as? [Data] == [
                    try server.certificate()
                ])
        }
    }

    @Test("The metrics say what protects the connection, and whom the certificate names")
    func secureConnection() async throws {
        let server = try OpenSSLServer()
        let manager = makeManager()
        manager.securityPolicy = try pinning(.publicKey, server.certificate())
        let connection = try #require(try await run(manager, server.url).metrics.secureConnection)
        #expect(connection.version == "TLSv1.3")
        #expect(connection.cipher.hasPrefix("TLS_"))
        #expect(connection.subject.contains("CN="))
        #expect(!connection.issuer.isEmpty)
        #expect(try #require(connection.expiry) > Int64(Date().timeIntervalSince1970))
        let plain = LoopbackServer()
        try plain.start()
        defer { plain.stop() }
        plain.setRoute("/", .respond(.text("plain")))
        #expect(try await run(manager, plain.url("/")).metrics.secureConnection == nil)
    }

    @Test("The authority's pin accepts its servers", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey])
    func authorityPin(_ mode: SecurityPolicy.PinningMode) async throws {
        let server = try OpenSSLServer(.init(hasAuthority: true))
        let manager = makeManager()
        manager.securityPolicy = try pinning(mode, server.certificate("authority"))
        #expect(try await run(manager, server.url).error == nil)
        let plain = try OpenSSLServer()
        #expect(try await code(manager, plain.url) == .certificate)
    }

    @Test("I04 I10 KB31: a pinned server that names another host is refused unless names are not checked")
    func hostIsChecked() async throws {
        let server = try OpenSSLServer(.init(names: "DNS:example.org"))
        let manager = makeManager()
        var policy = try pinning(.publicKey, server.certificate())
        manager.securityPolicy = policy
        #expect(try await code(manager, server.url) == .certificate)
        policy.validatesDomainName = false
        manager.securityPolicy = policy
        #expect(try await code(manager, server.url) == nil)
    }

    @Test("A host's own policy counts in the place of the manager's, also for where a redirect leads")
    func policyOfAHost() async throws {
        let second = try OpenSSLServer(.init(names: "DNS:localhost"))
        let secondURL = second.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let first = try OpenSSLServer(
            keepsAlive: true, answer: "HTTP/1.1 302 Found\r\nLocation: \(secondURL)\r\nContent-Length: 0\r\n\r\n")
        let manager = makeManager()
        manager.hostSecurityPolicies = ["127.0.0.1": try pinning(.publicKey, first.certificate())]
        #expect(try await code(manager, first.url) == .certificate, "The second host has the manager's policy")
        manager.hostSecurityPolicies["*.localhost"] = try pinning(.publicKey, second.certificate())
        #expect(try await code(manager, first.url) == .certificate)
        manager.hostSecurityPolicies["localhost"] = try pinning(.publicKey, second.certificate())
        #expect(try await code(manager, first.url) == nil)
        // What the manager believes is not asked where a host has a policy: not the kept connection either.
        manager.securityPolicy = try pinning(.publicKey, first.certificate())
        manager.hostSecurityPolicies = ["127.0.0.1": .default]
        let refused = try await run(manager, first.url, timeLimit: 0.3)
        #expect((refused.error as? SessionError) != nil && first.answerCount == 3)
    }

    @Test("Anything goes only when names are not checked either")
    func anythingGoes() async throws {
        let server = try OpenSSLServer()
        let manager = makeManager()
        var policy = SecurityPolicy.default
        policy.allowsInvalidCertificates = true
        manager.securityPolicy = policy
        #expect(try await code(manager, server.url) == .certificate)
        policy.validatesDomainName = false
        manager.securityPolicy = policy
        #expect(try await code(manager, server.url) == nil)
    }

    @Test("A07 LT15: a connection that one policy accepted is not used under another")
    func connectionsAreNotShared() async throws {
        let server = try OpenSSLServer(keepsAlive: true)
        let other = try OpenSSLServer()
        let manager = makeManager()
        let accepting = try pinning(.certificate, server.certificate())
        manager.securityPolicy = accepting
        #expect(try await run(manager, server.url).error == nil)
        let second = try await run(manager, server.url)
        #expect(second.error == nil && second.metrics.reusedConnection)
        // The server serves one connection at a time: whoever does not get the open one waits in vain.
        manager.securityPolicy = try pinning(.certificate, other.certificate())
        let stranger = try await run(manager, server.url, timeLimit: 0.3)
        #expect((stranger.error as? SessionError)?.code == .timedOut)
        #expect(server.answerCount == 2)
        manager.securityPolicy = accepting
        #expect(try await run(manager, server.url).metrics.reusedConnection)
    }

    // MARK: - Closures

    @Test("E02: the session's closure alone decides, and sees the chain")
    func sessionClosureDecides() async throws {
        let server = try OpenSSLServer()
        let certificate = try server.certificate()
        let manager = makeManager()
        manager.onSessionChallenge = { challenge in
            guard case .serverTrust(let trust) = challenge.kind else { return .cancel }
            let isRight = trust.certificates == [certificate] && !trust.isTrustedBySystem && trust.namesHost
            return isRight && trust.host == "127.0.0.1" ? .trust : .cancel
        }
        #expect(try await run(manager, server.url).error == nil)
    }

    @Test("E04 H05: refused, left to the policy, cancelled, failed")
    func taskClosureDecides() async throws {
        let server = try OpenSSLServer()
        let manager = makeManager()
        let mine = SessionError(.authenticationRequired, "I do not know this server")
        let cases: [(ChallengeResponse, SessionError.Code?)] = [
            (.trust, nil), (.rejectProtectionSpace, .certificate), (.performDefault, .certificate),
            (.cancel, .cancelled), (.fail(mine), .authenticationRequired),
        ]
        for (response, expected) in cases {
            manager.onTaskChallenge = { _, _ in response }
            #expect(try await code(manager, server.url) == expected, "\(response)")
        }
        manager.securityPolicy = try pinning(.certificate, server.certificate())
        manager.onTaskChallenge = { _, _ in .performDefault }
        #expect(try await code(manager, server.url) == nil)
    }

    @Test(
        "E02 E04: a name and a password are no verdict about a chain, whichever closure gives them",
        arguments: [
            OpenSSLServer.Identity(), .init(names: "DNS:example.org"), .init(hasAuthority: true, flaw: .expired),
        ])
    func credentialsAreNoTrust(identity: OpenSSLServer.Identity) async throws {
        let server = try OpenSSLServer(identity, keepsAlive: true)
        let other = try OpenSSLServer()
        let credential = ChallengeResponse.use(URLCredential(user: "u", password: "p", persistence: .none))
        let manager = makeManager()
        manager.onTaskChallenge = { _, _ in credential }
        #expect(try await code(manager, server.url) == .certificate)
        manager.securityPolicy = try pinning(.publicKey, other.certificate())
        #expect(try await code(manager, server.url) == .certificate)
        manager.onSessionChallenge = { _ in credential }
        for _ in 0..<2 { #expect(try await code(manager, server.url) == .certificate) }
        #expect(server.answerCount == 0 && !server.hasReceived("GET "))
        manager.securityPolicy = try pinning(.publicKey, server.certificate())
        let isNamed = identity.names.contains("127.0.0.1")
        #expect(try await code(manager, server.url) == (isNamed ? nil : .certificate), "the policy decides")
    }

    @Test("A task whose closure never answers can be cancelled")
    func cancelledWhileAsking() async throws {
        let server = try OpenSSLServer()
        let manager = makeManager()
        let asked = EventLog<CheckedContinuation<ChallengeResponse, Never>>()
        manager.onTaskChallenge = { _, _ in
            await withCheckedContinuation { asked.add($0) }
        }
        let task = try manager.dataTask(with: TransferRequest(url: server.url), completionHandler: nil)
        task.resume()
        let continuation = await asked.wait(count: 1)[0]
        task.cancel()
        #expect((await task.completion().error as? SessionError)?.code == .cancelled)
        continuation.resume(returning: .trust)
    }
}
