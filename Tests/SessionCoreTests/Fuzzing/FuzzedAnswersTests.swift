import FuzzTestSupport
import SessionSupport
import Testing

@testable import SessionCore

/// Everything that a server says about itself, changed at random: no answer traps, and none means more than it may.
///
/// A text that made trouble stays in the corpus of its parser.
@Suite("Answers of servers changed at random", .timeLimit(.minutes(Fuzzing.minutes)))
struct FuzzedAnswersTests {
    private static let url = "https://user@h.example/files/disk.iso?token=1"
    private static let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\nETag: \"one\"\r\nContent-Type: text/html\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 400000-1048575/1048576\r\nETag: \"one\"\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 300000-499999/1048576\r\nETag: \"one\"\r\n"
            + "Content-Length: 200000\r\n\r\n",
        "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */1048576\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 120\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
        "HTTP/2 200\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\nX: a\n b\n\tc\nContent-Length: 1\n 0\n\n",
        "HTTP/1.0 200\r\nTransfer-Encoding: gzip, chunked\r\nContent-Encoding: identity\r\nLast-Modified: x\r\n\r\n",
    ]

    private static func head(_ bytes: [UInt8]) -> ResponseHead? {
        var parser = HeaderParser(url: url, cache: HeaderLineCache())
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let event = (Array(line) + [0x0A]).withUnsafeBytes { parser.read($0) }
            if case .final(let head) = event { return head }
        }
        return nil
    }

    @Test("Response heads")
    func heads() {
        let fuzzing = Fuzzing(
            "heads", corpus: Self.heads,
            words: [
                "\r\n", "HTTP/1.1 ", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "bytes ", "Content-Range: ",
            ])
        var metadata = StoredMetadata(url: Self.url, finalURL: Self.url, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 1_048_576
        let request = TransferRequest(url: Self.url)
        #expect(
            fuzzing.failures { bytes, _ in
                guard let head = Self.head(bytes) else { return nil }
                if !(101...999).contains(head.statusCode) { return "a final status of \(head.statusCode)" }
                if head.headers.contains(where: { $0.value.utf8.contains(0x0A) || $0.name.isEmpty }) {
                    return "a field that is none"
                }
                let length = try? BodyLength(head, method: "GET")
                if let count = length?.byteCount, count < 0 { return "a negative length" }
                let fresh = ResumePolicy.judge(head, request: request, metadata: nil, offset: 0, now: 1_000_000_000)
                if case .append = fresh { return "an answer to a range that nobody asked for" }
                let rest = ResumePolicy.judge(
                    head, request: request, metadata: metadata, offset: 400_000, now: 1_000_000_000)
                if case .append(let plan) = rest {
                    let fits =
                        plan.offset == 400_000 && (0...400_000).contains(plan.overlap) && plan.limit >= 0
                        && plan.offset + plan.limit <= plan.total && plan.total == 1_048_576
                    return fits && head.statusCode == 206 ? nil : "a plan that does not fit: \(plan)"
                }
                if case .waitAndRetry(let delay?, _) = rest, !(0...RetryAfter.limit).contains(delay) {
                    return "a wait of \(delay) ms"
                }
                return nil
            } == [])
    }

    @Test("Content-Range, entity tags, dates and Retry-After")
    func values() {
        let fuzzing = Fuzzing(
            "values",
            corpus: [
                "bytes 0-0/1", "bytes 5-9/*", "bytes */1048576", "\"one\"", "W/\"x\"", "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "120", "Thu, 29 Feb 2024 23:59:60 GMT",
                "Digest realm=\"a, b\", nonce=\"x\\\"y\", qop=\"auth,auth-int\", Basic realm=z", "Bearer abc==",
            ], words: ["bytes ", "GMT", "-", "/", "W/", "\"", ", ", "="])
        #expect(
            fuzzing.failures { bytes, _ in
                let text = String(decoding: bytes, as: UTF8.self)
                if case .range(let first, let last, let total)? = ContentRange(text) {
                    guard 0 <= first, first <= last, total.map({ last < $0 }) ?? true else { return "a wrong range" }
                }
                if let tag = EntityTag(text), tag.text.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F }) {
                    return "a tag with a control character"
                }
                _ = HTTPDate.seconds(text)
                let head = ResponseHead(statusCode: 503, headers: ["Retry-After": text, "Date": text])
                if let wait = RetryAfter.milliseconds(head, now: 0), !(0...RetryAfter.limit).contains(wait) {
                    return "a wait of \(wait) ms"
                }
                for offer in AuthenticationOffer.parse(text) {
                    let credentials = HTTPCredentials(offer: offer, user: "me", password: "secret")
                    let field = credentials.field(
                        for: TransferRequest(url: Self.url), count: 1, clientNonce: "c")
                    if field?.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) ?? false {
                        return "an answer of two lines"
                    }
                }
                return nil
            } == [])
    }

    @Test("Names of files")
    func names() {
        let fuzzing = Fuzzing(
            "names",
            corpus: [
                "attachment; filename=\"disk.iso\"", "attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fx", "inline",
                "attachment; filename=\"../../..x\"; filename*=utf-8'en'na%C3%AFve.txt", "filename=.bashrc",
                "attachment; filename=\"a\\\"b\\\\c\"", "attachment; filename=\"\u{1B}]0;x\u{07}\"", "filename=-rf",
                "attachment; filename=\"\(String(repeating: "é", count: 300)).tar.gz\"", "filename=\"CON\"",
            ], words: ["filename=", "filename*=", "UTF-8''", "%2f", "%00", "\"", ";", "../", "\\", "\u{202E}"])
        #expect(
            fuzzing.failures { bytes, _ in
                let field = String(decoding: bytes, as: UTF8.self)
                let head = ResponseHead(statusCode: 200, headers: ["Content-Disposition": field])
                let name = FileNames.automatic(url: "http://h/\(field)", head: head)
                let part = FileNames.partName(name, identifier: "0a1b2c3d")
                guard Folder.isComponent(name), Folder.isComponent(part + FileNames.metaSuffix) else {
                    return "no component of a path: \(name)"
                }
                guard name.utf8.count <= 255, (part + FileNames.metaSuffix).utf8.count <= 255 else { return "too long" }
                guard let first = name.first, !".-~".contains(first) else { return "hidden or an option: \(name)" }
                let hasControls = name.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
                return hasControls ? "a control character" : nil
            } == [])
    }

    @Test("Redirects, and cookies")
    func places() {
        let fuzzing = Fuzzing(
            "places",
            corpus: [
                "https://other.example/x", "/a/../b", "//h2/x", "?q", "http://h:65536/", "https://[::1]:8080/%zz",
                "javascript:alert(1)", "https://user:pass@h.example/", "a=b; Path=/; Secure; HttpOnly",
                "id=1; Domain=.example; Expires=Sun, 06 Nov 2094 08:49:37 GMT; Max-Age=60", "x", "=", "https://xn--/",
            ], words: ["https://", "http://", "@", ":", "//", "\r\n", ";", "Domain=", "Path=", "Max-Age=", "%0d%0a"])
        var request = TransferRequest(url: Self.url)
        request.headers = ["Authorization": "Bearer secret", "X-Key": "secret"]
        #expect(
            fuzzing.failures { bytes, _ in
                let text = String(decoding: bytes, as: UTF8.self)
                let head = ResponseHead(statusCode: 302, headers: ["Location": text], url: Self.url)
                switch RedirectPolicy.decide(head, to: request) {
                case .follow(let next), .needsConsent(let next, _), .needsOther(let next, _):
                    guard next.url.hasPrefix("http://") || next.url.hasPrefix("https://") else {
                        return "a foreign scheme"
                    }
                    guard !next.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return "a broken URL" }
                    let isSame = (try? Origin(next.url)) == (try? Origin(Self.url))
                    if !isSame, next.headers.contains(where: { $0.value.contains("secret") }) {
                        return "a leak to \(next.url)"
                    }
                case .refuse, .keep, .leadsNowhere, .notARedirect: break
                }
                let jar = CookieJar(now: { 1_000_000_000 })
                jar.store([text], from: Self.url)
                jar.add(file: text)
                for url in [Self.url, "https://other.example/"] {
                    guard let field = jar.field(for: url) else { continue }
                    if field.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a cookie of two lines" }
                }
                let foreign = CookieJar(now: { 1_000_000_000 })
                foreign.store([text], from: Self.url)
                return foreign.field(for: "https://other.example/") == nil ? nil : "a cookie for somebody else"
            } == [])
    }
}
