import Foundation
import Glibc
import SessionCore
import SessionSupport
import Testing

@testable import TransferService
@testable import netdash

/// The options of connections below HTTP: their values, and what is made of them.
@Suite("Options of connections below HTTP", .timeLimit(.minutes(1)))
struct TransportOptionTests {
    private func options(_ words: [String], environment: [String: String] = [:]) throws -> RequestOptions {
        let invocation = try CommandLine.parse(words + ["http://h/"]).get()
        return try JobIdentity(environment: environment).runOptions(invocation.settings.options) ?? RequestOptions()
    }

    private func problem(_ words: [String]) -> String? {
        do {
            _ = try options(words)
            return nil
        } catch let error as JobIdentity.Problem {
            return error.usage.message
        } catch {
            return "\(error)"
        }
    }

    @Test("One word about the least version counts, and no version left is refused")
    func versions() throws {
        #expect(try options(["--tlsv1.3"]).transport.leastTLS == .tls13)
        #expect(try options(["--tlsv1.2"]).transport.leastTLS == .tls12)
        #expect(throws: UsageError.self) { try options(["--tlsv1.3", "--tlsv1.2"]) }
        #expect(try options(["--tls-max", "1.2"]).transport.mostTLS == .tls12)
        #expect(try options(["--tls-max=default"]).transport.mostTLS == nil)
        #expect(problem(["--tlsv1.3", "--tls-max", "1.2"])?.hasPrefix("--tls-max: ") == true)
        #expect(problem(["--tlsv1.3", "--tls-max", "1.3"]) == nil)
    }

    @Test(
        "A mark has the names of curl, or a number",
        arguments: [
            ("EF", 184), ("ef", 184), ("CS0", 0), ("cs7", 224), ("AF11", 40), ("AF43", 152), ("LE", 4), ("VA", 176),
            ("0", 0), ("255", 255), ("256", nil), ("-1", nil), ("AF44", nil), ("CS8", nil), ("", nil), ("x", nil),
        ] as [(String, UInt8?)])
    func marks(text: String, number: UInt8?) {
        #expect((try? OptionKind<UInt8>.serviceType.parse(text)) == number)
    }

    @Test("A certificate is PKCS #12 by its name or by word, its password is read, and it has no other key")
    func certificates() throws {
        let folder = NSTemporaryDirectory() + "p12-\(UInt64.random(in: 0 ... .max))/"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["a.p12", "a.PFX", "a.pem"] {
            #expect(FileManager.default.createFile(atPath: folder + name, contents: Data()))
        }
        func certificate(_ words: String...) throws -> ClientCertificate? {
            try options(words, environment: ["WORD": "sesame"]).clientCertificate
        }
        #expect(
            try certificate("--cert", folder + "a.p12", "--pass", "@env:WORD")
                == ClientCertificate(file: folder + "a.p12", password: "sesame", format: .pkcs12))
        #expect(try certificate("--cert", folder + "a.PFX")?.format == .pkcs12)
        #expect(try certificate("--cert", folder + "a.pem")?.format == .pem)
        #expect(try certificate("--cert", folder + "a.pem", "--cert-type", "p12")?.format == .pkcs12)
        #expect(try certificate("--cert", folder + "a.p12", "--cert-type", "PEM")?.format == .pem)
        #expect(problem(["--cert", folder + "a.p12", "--key", folder + "a.pem"])?.hasPrefix("--key: ") == true)
    }

    @Test("A name service has an https URL without a password")
    func nameService() throws {
        #expect(try options(["--doh-url", "https://d.example/q"]).transport.nameService == "https://d.example/q")
        for text in ["http://d.example/", "d.example", "https://", "https://me:pw@d.example/"] {
            #expect(throws: (any Error).self) { try options(["--doh-url", text]) }
        }
    }

    @Test("The hosts of a file are used, and those that ask for https are added at the end, for the user alone")
    func secureHosts() throws {
        let path = NSTemporaryDirectory() + "hsts-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        let values = try CommandLine.parse(["--hsts", path, "http://h/"]).get().settings.options
        let first = JobIdentity(environment: [:])
        let hosts = try #require(try first.runOptions(values)?.transport.secureHosts)
        first.saveFiles()
        #expect(access(path, F_OK) != 0)
        hosts.store(["max-age=9999999; includeSubDomains"], from: "https://a.example/")
        first.saveFiles()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let second = JobIdentity(environment: [:])
        let again = try #require(try second.runOptions(values)?.transport.secureHosts)
        #expect(again.secured("http://x.a.example/") == "https://x.a.example/")
        #expect(try second.runOptions(values)?.transport.secureHosts === again && second.warnings.isEmpty)
        #expect(problem(["--hsts", "/"])?.hasPrefix("--hsts: ") == true)
    }

    @Test("Several connections and HTTP/2 do not go together, and a line says so before the run")
    func streams() throws {
        func warnings(_ words: String...) throws -> [SafeText] {
            try CommandLine.parse(words + ["https://h/f"]).get().warnings
        }
        #expect(try warnings("-x", "8", "--http2") == [CommandLineUsage.oneStream])
        #expect(try warnings("-x", "8").isEmpty && warnings("-x", "1", "--http2").isEmpty)
        #expect(try warnings("--http2").isEmpty && warnings("-x", "auto", "--http2").isEmpty)
    }

    @Test("A redirect from https to http is allowed by an option, which the refusal names")
    func plainRedirects() throws {
        let job = try #require(try CommandLine.parse(["--allow-http-redirects", "https://h/"]).get().jobs.first)
        var request = TransferRequest(url: job.url)
        try JobIdentity(environment: [:]).complete(&request, of: job)
        #expect(request.options?.allowsPlainRedirects == true)
        let advised: [(SessionError.Advice, String)] = [
            (.allowPlainHTTP, "--allow-http-redirects"), (.giveCertificate, "--cert"), (.givePassphrase, "--pass"),
            (.giveProxyCredentials, "--proxy-user"),
        ]
        for (advice, option) in advised {
            var error = SessionError(.redirectRefused, "Refused")
            error.advice = advice
            #expect(TransferFailure(error).message.contains(option))
            #expect(CommandLineOption.allCases.contains { $0.spelling == option })
        }
    }

    @Test("NTLM is a scheme of --user, and of a name in the URL")
    func ntlm() throws {
        guard LibraryInfo.hasNTLM else {
            #expect(throws: JobIdentity.Problem.self) { try credentials("--ntlm") }
            return
        }
        #expect(
            try credentials("--ntlm", "--user", "D\\me:pw")
                == RequestCredentials(user: "D\\me", password: "pw", scheme: .ntlm))
        let schemes = ["--digest", "--ntlm", "--anyauth"]
        for (first, second) in schemes.flatMap({ first in schemes.map { (first, $0) } }) where first != second {
            #expect(throws: UsageError.self) { try credentials(first, second, "--user", "me:pw") }
        }
    }

    private func credentials(_ words: String...) throws -> RequestCredentials? {
        let job = try #require(try CommandLine.parse(words + ["http://h/"]).get().jobs.first)
        var request = TransferRequest(url: job.url)
        try JobIdentity(environment: [:]).complete(&request, of: job)
        return request.options?.credentials
    }
}
