import LoopbackServer
import Testing

@testable import SessionCore

/// Signatures as Amazon's documents and its collection of examples have them.
@Suite("Signed requests", .timeLimit(.minutes(1)))
struct AmazonSignatureTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var url: String
        var service: String
        var time: Int64 = 1_440_938_160
        var signature: String
        var testDescription: String { url }
    }

    @Test(
        "The signatures of the published examples come out",
        arguments: [
            Example(
                url: "https://example.amazonaws.com/", service: "service",
                signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            Example(
                url: "https://example.amazonaws.com/?Param2=value2&Param1=value1", service: "service",
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            Example(
                url: "https://examplebucket.s3.amazonaws.com/?lifecycle", service: "s3", time: 1_369_353_600,
                signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            Example(
                url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", service: "s3", time: 1_369_353_600,
                signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ])
    func examples(example: Example) throws {
        let keys =
            example.service == "s3"
            ? RequestCredentials(
                user: "AKIAIOSFODNN7EXAMPLE", password: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
            : RequestCredentials(user: "AKIDEXAMPLE", password: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        let signature = AmazonSignature(
            scope: RequestSigning(region: "us-east-1", service: example.service), credentials: keys, time: example.time)
        let fields = try signature.fields(for: TransferRequest(url: example.url))
        #expect(fields["Authorization"]?.hasSuffix("Signature=" + example.signature) == true, "\(fields)")
    }

    @Test("Region and service are read from the host, and a file as the body only goes to the store")
    func places() throws {
        let keys = RequestCredentials(user: "a", password: "b")
        let signature = AmazonSignature(scope: RequestSigning(), credentials: keys, time: 0)
        var request = TransferRequest(url: "https://s3.eu-west-1.amazonaws.com/b/k", method: "PUT")
        request.body = .file(path: "/nowhere")
        let fields = try signature.fields(for: request)
        #expect(fields["Authorization"]?.contains("a/19700101/eu-west-1/s3/aws4_request") == true)
        #expect(fields["x-amz-content-sha256"] == "UNSIGNED-PAYLOAD" && fields["X-Amz-Date"] == "19700101T000000Z")
        request.url = "https://sqs.eu-west-1.amazonaws.com/"
        #expect(throws: SessionError.self) { try signature.fields(for: request) }
        #expect(throws: SessionError.self) { try signature.fields(for: TransferRequest(url: "https://h/")) }
    }

    @Test("The keys sign for the server of the URL alone, and are shown to nobody")
    func redirect() throws {
        let server = LoopbackServer()
        let other = LoopbackServer()
        try server.start()
        try other.start()
        other.setRoute("/x", .respond(.text("other")))
        server.setRoute("/x", .redirect(to: other.url("/x")))
        let harness = try EngineHarness()
        var request = TransferRequest(url: server.url("/x"))
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "key", password: "secret")
        options.signing = RequestSigning(region: "r", service: "s3")
        request.options = options
        #expect(harness.outcome(of: harness.add(request))?.error == nil)
        let shown = server.requests.map { $0.headers["Authorization"] ?? "" }
        #expect(shown.count == 1 && shown[0].hasPrefix("AWS4-HMAC-SHA256 Credential=key/"))
        #expect(other.requests.map { $0.headers["Authorization"] } == [nil])
    }
}
