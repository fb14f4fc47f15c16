import Dashboard
import Testing

@testable import TransferService
@testable import netdash

/// What a field of a form says, and what of a request's bodies cannot be meant.
@Suite("Fields of forms")
struct FormFieldTests {
    /// A field, and what it is read as.
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var path: String?
        var value = ""
        var fileName: String?
        var type: String?
        var testDescription: String { text }
    }

    @Test(
        "A field is read as curl reads it",
        arguments: [
            Case(text: "a=b", value: "b"), Case(text: "a=", value: ""), Case(text: "a=b=c;d", value: "b=c;d"),
            Case(text: "a=b;type=text/plain", value: "b", type: "text/plain"),
            Case(text: "a=b; Type=text/plain; charset=utf-8", value: "b", type: "text/plain; charset=utf-8"),
            Case(text: "a=x;y;type=a/b;filename=\"n;1\"", value: "x;y", fileName: "n;1", type: "a/b"),
            Case(text: "a=@d/t.txt", path: "d/t.txt", fileName: "t.txt", type: "text/plain"),
            Case(text: "a=@p.JPG", path: "p.JPG", fileName: "p.JPG", type: "image/jpeg"),
            Case(text: "a=@data", path: "data", fileName: "data", type: "application/octet-stream"),
            Case(text: "a=@data;filename=x.html", path: "data", fileName: "x.html", type: "text/html"),
            Case(text: #"a=@data;filename="q\"x;y.html""#, path: "data", fileName: "q\"x;y.html", type: "text/html"),
            Case(text: #"a=@d;filename="b\\";type=a/b"#, path: "d", fileName: #"b\"#, type: "a/b"),
            Case(text: #"a=@d;filename="w\d";type=a/b"#, path: "d", fileName: #"w\d"#, type: "a/b"),
            Case(text: "a=@t.txt;type=a/b", path: "t.txt", fileName: "t.txt", type: "a/b"),
            Case(text: "a=<t.txt", path: "t.txt"), Case(text: "a=<t.txt;type=x/y", path: "t.txt", type: "x/y"),
        ])
    func fields(field: Case) throws {
        let read = try #require(FormField(field.text))
        #expect(read.name == "a" && read.path == field.path && read.value == field.value)
        #expect(read.fileName == field.fileName && read.contentType == field.type)
    }

    @Test(
        "What stands behind a file's name and means nothing is refused", arguments: ["a=@f;x", "a=<f;encoder=base64"])
    func refused(text: String) {
        #expect(FormField(text) == nil)
    }

    @Test("Addresses and interfaces of this machine are told from what is none")
    func places() {
        for address in ["127.0.0.1", "::1", "[::1]", "fe80::1%lo"] { #expect(LocalEndpoints.isAddress(address)) }
        for other in ["notip", "", "1.2.3", "[127.0.0.1]", "[::1"] { #expect(!LocalEndpoints.isAddress(other)) }
        for there in ["lo", "if!lo", "127.0.0.1", "host!name", "name.example"] {
            #expect(LocalEndpoints.problem(withInterface: there) == nil)
        }
        for absent in ["nope0", "if!nope0"] { #expect(LocalEndpoints.problem(withInterface: absent) != nil) }
    }

    @Test(
        "A typed place is plain, but behind a link",
        arguments: [
            ("dw/../dw/a/../../..", "/f"), ("../x", "/x"), ("./a//b", "/d/a/b"), ("/a/./b/../c", "/a/c"),
            ("/../c", "/c"), ("link/../c", "/d/link/../c"), ("link/../../c", "/d/link/../../c"),
        ])
    func plainPlaces(typed: String, path: String) {
        #expect(EnteredPath.path(typed: typed, for: "/d/f", home: nil, isLink: { $0.hasSuffix("/link") }) == path)
    }

    @Test("Quotes around a value or a file are taken off, as curl does")
    func quotes() throws {
        #expect(try #require(FormField(#"f=@"a;b\"c.png";type=x/y"#)).path == #"a;b"c.png"#)
        #expect(try #require(FormField(#"f=@"pic.png""#)).fileName == "pic.png")
        #expect(try #require(FormField(#"f="a; b";type=x/y"#)).value == "a; b")
        #expect(try #require(FormField(#"f="a" b"#)).value == #""a" b"#)
    }
}
