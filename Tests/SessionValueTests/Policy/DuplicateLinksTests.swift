import Testing

@testable import SessionCore

/// Places of a file that an answer names.
@Suite("Links to duplicates")
struct DuplicateLinksTests {
    static let rows: [(base: String, fields: [String], urls: [String])] = [
        ("http://h/a/f", ["<http://m/f>; rel=duplicate"], ["http://m/f"]),
        ("http://h/a/f", ["<../g>; rel=\"duplicate\""], ["http://h/g"]),
        (
            "http://h/f",
            ["<http://a/f>; rel=duplicate; pri=2, <http://b/f?x=1,2;3>; pri=1; rel=\"nofollow Duplicate\""],
            ["http://b/f?x=1,2;3", "http://a/f"]
        ),
        ("http://h/f", ["<http://a/f>; rel=duplicate", "<https://b/f>;rel=duplicate"], ["http://a/f", "https://b/f"]),
        ("https://h/f", ["<http://a/f>; rel=duplicate, <https://b/f>; rel=duplicate"], ["https://b/f"]),
        ("http://h/f", ["<ftp://a/f>; rel=duplicate, <javascript:1>; rel=duplicate"], []),
        ("http://h/f", ["<http://a/f>; rel=describedby; title=\"a, <http://b/f>; rel=duplicate\""], []),
        ("http://h/f", ["http://a/f; rel=duplicate", "<http://a/f", "", ";,;"], []),
        ("http://h/f", [], []),
    ]

    @Test("Only duplicates count, in the order of their numbers, and encryption stays", arguments: rows)
    func links(_ row: (base: String, fields: [String], urls: [String])) {
        var head = ResponseHead(statusCode: 200, url: row.base)
        for field in row.fields { head.headers.append(name: "Link", value: field) }
        #expect(DuplicateLinks.urls(of: head) == row.urls)
    }
}
