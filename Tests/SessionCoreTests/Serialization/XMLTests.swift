import Foundation
import FoundationXML
import SessionXML
import Testing

@testable import SessionCore

@Suite("XML of responses", .timeLimit(.minutes(1)))
struct XMLTests {
    private let serializer = XMLResponseSerializer()

    private func head(_ status: Int = 200, _ type: String = "text/xml; charset=utf-8") -> ResponseHead {
        ResponseHead(statusCode: status, headers: ["Content-Type": type], url: "http://127.0.0.1/x")
    }

    private static let text = """
        <?xml version="1.0"?><list n="1"><!-- no --><item id="a">1 &lt; 2</item><item>b<b>old</b><![CDATA[<c>]]></item></list>
        """

    @Test("K15: XML becomes a body with a tree, and a parser that was not started")
    func body() throws {
        let result = serializer.serialize(head: head(), data: Data(Self.text.utf8))
        let body = try #require(result.object as? XMLBody, "\(String(describing: result.error))")
        #expect(body.root.name == "list" && body.root.attributes == ["n": "1"])
        #expect(body.root.elements(named: "item").map(\.text) == ["1 < 2", "bold<c>"])
        #expect(body.root["item"]?.attributes["id"] == "a" && body.root["none"] == nil)
        let parser = body.makeParser()
        #expect(parser.delegate == nil && parser.parse())
    }

    @Test("K16: XML becomes Foundation's document")
    func document() throws {
        let body = try XMLBody(Data(Self.text.utf8))
        #expect(try body.makeDocument().rootElement()?.name == "list")
    }

    @Test(
        "K15 K16 LT11: what is cut off is one error, and nothing is printed",
        arguments: [
            "<foo", "<foo>", "<foo></bar>", "text", "<foo a=b/>", "<foo>&unknown;</foo>",
            " ", "<foo>\u{0}</foo>", "<foo/><bar/>", "<foo/>text", "<foo/></bar>", "<foo></foo><foo></foo>",
            "<foo/>\u{0}",
        ])
    func truncated(_ text: String) throws {
        var results: [SerializedResponse] = []
        let printed = try Self.printed { results.append(serializer.serialize(head: head(), data: Data(text.utf8))) }
        let error = try #require(results.first?.error as? ResponseSerializationError)
        #expect(results.first?.object == nil && error.underlying is XMLFault && error.data == Data(text.utf8))
        #expect(printed.isEmpty, "\(printed)")
    }

    @Test("Comments, instructions and empty lines may stand behind the outermost element")
    func remarksAtTheEnd() throws {
        #expect(try XMLBody(Data("<foo/>\n<!-- c -->\n<?p x?>\n".utf8)).root.name == "foo")
    }

    @Test("Every beginning of a text is refused")
    func everyBeginning() {
        for length in 1..<Self.text.utf8.count - 1 {
            let data = Data(Self.text.utf8.prefix(length))
            #expect(throws: XMLFault.self, "\(length)") { try XMLBody(data) }
        }
    }

    @Test("Entities that grow, files that are named, and elements that lie too deep are refused")
    func hostile() throws {
        var bomb = "<!DOCTYPE a [<!ENTITY e0 \"xxxxxxxxxx\">"
        for level in 1...9 {
            bomb += "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
        }
        bomb += "]><a>&e9;</a>"
        let result = serializer.serialize(head: head(), data: Data(bomb.utf8))
        #expect(((result.object as? XMLBody)?.root.text.utf8.count ?? 0) < 1_000_000)
        let file = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>&f;</a>"
        let named = serializer.serialize(head: head(), data: Data(file.utf8))
        #expect((named.object as? XMLBody)?.root.text.contains("root:") != true)
        let deep = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(throws: XMLFault.self) { try XMLBody(Data(deep.utf8)) }
    }

    @Test("Entities that the document itself names are in the tree as in the document")
    func entities() throws {
        let body = try XMLBody(
            Data("<!DOCTYPE a [<!ENTITY x \"val\"><!ENTITY e \"<b>in</b>!\">]><a p=\"&x;&amp;\">1&x;2&e;</a>".utf8))
        #expect(body.root.text == "1val2in!" && body.root["b"]?.text == "in")
        #expect(body.root.attributes == ["p": "val&"])
        #expect(try body.makeDocument().rootElement()?.stringValue == body.root.text)
        let unused = try XMLBody(Data("<!DOCTYPE a [<!ENTITY x \"val\">]><a>1<b c=\"d\"/><!-- r -->2</a>".utf8))
        #expect(unused.root.text == "12" && unused.root["b"]?.attributes == ["c": "d"])
    }

    @Test("K15: status and type are checked as for JSON; an empty body is no object and no error")
    func validation() {
        let wrong = serializer.serialize(head: head(200, "text/html"), data: Data("<a/>".utf8))
        #expect(wrong.object == nil)
        #expect((wrong.error as? ResponseSerializationError)?.reason == .unacceptableContentType("text/html"))
        let failed = serializer.serialize(head: head(404), data: Data("<a/>".utf8))
        #expect(failed.object is XMLBody)
        #expect((failed.error as? ResponseSerializationError)?.reason == .unacceptableStatusCode(404))
        let both = serializer.serialize(head: head(500), data: Data("<a".utf8)).error as? ResponseSerializationError
        #expect(both?.reason == .unacceptableStatusCode(500) && both?.underlying is ResponseSerializationError)
        let empty = serializer.serialize(head: head(204), data: Data())
        #expect(empty.object == nil && empty.error == nil)
        #expect(!serializer.isQuick(byteCount: 1))
    }

    @Test("The format of calls that wait")
    func format() async throws {
        let fixture = ManagerFixture { _ in .ok("<a>1</a>", type: "application/xml") }
        #expect(try await fixture.manager.data(for: fixture.request, as: .xml).root.text == "1")
    }

    /// What standard error gets while a closure runs.
    private static func printed(_ body: () -> Void) throws -> String {
        let folder = try TemporaryFolder()
        let file = open(folder.path + "/stderr", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let before = dup(STDERR_FILENO)
        try #require(file >= 0 && before >= 0 && dup2(file, STDERR_FILENO) >= 0)
        body()
        try #require(dup2(before, STDERR_FILENO) >= 0)
        close(before)
        close(file)
        return String(decoding: folder.bytes(of: "stderr") ?? [], as: UTF8.self)
    }
}
