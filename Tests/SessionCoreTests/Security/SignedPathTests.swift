import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Signatures compared with those that another program makes of the request as it came in.
@Suite(
    "Paths under a signature", .timeLimit(.minutes(1)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct SignedPathTests {
    /// Signs what a server has received, in two ways: with the path as it came, and with the path decoded and encoded once.
    ///
    /// Both are in use, so a request is right where both come out.
    private static let signer = """
        import sys, json, hmac, hashlib
        from urllib.parse import quote, unquote_to_bytes
        r = json.load(sys.stdin)
        h = {k.lower(): v for k, v in r['headers']}
        words = dict(w.strip().split('=', 1) for w in h['authorization'].split(' ', 1)[1].split(','))
        user, day, region, service, end = words['Credential'].split('/')
        path, _, query = r['target'].partition('?')
        plain = '-._~'
        def pair(p):
            k, _, v = p.partition('=')
            return quote(unquote_to_bytes(k), safe=plain), quote(unquote_to_bytes(v), safe=plain)
        query = '&'.join('='.join(p) for p in sorted(pair(p) for p in query.split('&') if p))
        again = '/'.join(quote(unquote_to_bytes(s), safe=plain) for s in path.split('/'))
        def signature(path):
            if service != 's3': path = quote(path, safe='/' + plain)
            names = words['SignedHeaders'].split(';')
            digest = h.get('x-amz-content-sha256') or hashlib.sha256(b'').hexdigest()
            canonical = '\\n'.join([r['method'], path, query] + [n + ':' + ' '.join(h[n].split()) for n in names]
                + ['', ';'.join(names), digest])
            scope = '/'.join([day, region, service, end])
            text = '\\n'.join(['AWS4-HMAC-SHA256', h['x-amz-date'], scope,
                hashlib.sha256(canonical.encode()).hexdigest()])
            key = ('AWS4' + r['secret']).encode()
            for word in (day, region, service, end, text): key = hmac.new(key, word.encode(), hashlib.sha256).digest()
            return key.hex()
        print('right' if {signature(path), signature(again)} == {words['Signature']} else [path, again, words])
        """

    private func judge(_ request: RecordedRequest) throws -> String {
        let description: [String: Any] = [
            "method": request.method, "target": request.target, "secret": "secret",
            "headers": request.headers.map { [$0.name, $0.value] },
        ]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", "-c", Self.signer]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: description))
        try input.fileHandleForWriting.close()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    @Test(
        "The path that is signed is the one that is sent",
        arguments: [
            "/b/plain.txt", "/b/caf\u{E9}.txt", "/b/caf%c3%a9.txt", "/b/a%20(b).txt", "/b/a+b,c;d=e@f:g!h*i'j",
            "/b/~x_y-z.",
            "/b/a%2fb", "/b//c/", "/b/%e4%E9", "/b/a/../c", "/b/100%25", "/b/x?prefix=\u{E9}&list-type=2&x=a%2Fb", "/",
        ], ["s3", "execute-api"])
    func path(path: String, service: String) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/*", .respond(.text("in")))
        let harness = try EngineHarness()
        var request = TransferRequest(url: server.url(path))
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "key", password: "secret")
        options.signing = RequestSigning(region: "r", service: service)
        request.options = options
        #expect(harness.outcome(of: harness.add(request))?.error == nil)
        let received = try #require(server.requests.first)
        #expect(try judge(received) == "right", "\(received.target)")
    }
}
