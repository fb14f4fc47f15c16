import CCurl
import Glibc
import Testing

/// Where the system's authorities are, which differs among distributions.
@Suite("The system's file of authorities", .timeLimit(.minutes(1)))
struct SystemAuthorityTests {
    /// Stand in for files of authorities: one that every system has, and two that none has.
    private static let (present, missing, other) = ("/etc/passwd", "/nonexistent/ca.crt", "/nonexistent/ca.pem")

    @Test(
        "libcurl's own file wins, then the first of the others that can be read; without one it stays libcurl's",
        arguments: [
            (present, [other], present), (missing, [other, present], present), (missing, [present, other], present),
            (missing, [other], missing), (missing, [], missing), (nil, [present], nil),
        ])
    func choice(usual: String?, others: [String], expected: String?) {
        let texts = ([usual] + others).map { $0.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        let list = texts.dropFirst().map { UnsafePointer($0) } + [nil]
        let found = cc_readable_or(texts[0], list).map { String(cString: $0) }
        #expect(found == expected)
    }
}
