import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("JSON as a tree")
struct JSONTreeTests {
    static let order =
        #"{"items": [{"name": "tea", "n": 2}, {"name": "a\"b", "tags": []}], "next": null, "": {"a.b": true}}"#

    private func tree(_ text: String) -> JSONTree? { JSONTree(Array(text.utf8)) }

    private func lines(_ text: String) -> [String]? { tree(text)?.lines(limit: 99).map(\.string) }

    @Test("Members stand in their own order, and numbers are as they were written")
    func layout() {
        let text = #"{"b":[1,2.50e3,{}],"a":{"x":null,"y":"q\"\u0041"},"c":[]}"#
        #expect(
            lines(text) == [
                "{", "  \"b\": [", "    1,", "    2.50e3,", "    {}", "  ],", "  \"a\": {", "    \"x\": null,",
                #"    "y": "q\"\u0041""#, "  },", "  \"c\": []", "}",
            ])
        #expect(lines(" \n[ [ ] , { \"a\" : [ 1 ] } ]\r\n")?.count == 8)
        #expect(JSONTree(Array(text.utf8))?.lines(limit: 3).count == 3)
    }

    @Test(
        "What is not JSON is not taken for it",
        arguments: [
            "", "12", "{", "[1,]", "{\"a\"}", "{\"a\":1}x", "[nul]", "[1 2]", "[\"a\nb\"]", "{a:1}", "[", "]", "{]",
            "[}",
            "{\"a\":}", "{\"a\":1,}", "[,]", "{,}", "[1,,2]", "{\"a\":1 \"b\":2}", "[\"\\", "[\"\\\"]", "[+-]", "[--1]",
            "[1]]", "[\"a\":1]", "{1:2}", "\u{FEFF}[]", "[tru]", "[1e]", "[:]",
        ])
    func notJSON(text: String) {
        #expect(tree(text) == nil)
    }

    @Test("Deep and huge texts are refused, and cost no stack")
    func limits() {
        #expect(JSONTree(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == nil)
        let deep = Array(repeating: UInt8(ascii: "["), count: 64) + Array(repeating: UInt8(ascii: "]"), count: 64)
        #expect(JSONTree(deep) != nil)
        #expect(JSONTree([UInt8(ascii: "[")] + deep + [UInt8(ascii: "]")]) == nil)
        let many = Array("[0".utf8) + Array(repeatElement(Array(",0".utf8), count: 20).joined()) + [UInt8(ascii: "]")]
        #expect(JSONTree(many, nodeLimit: 22)?.nodes.count == 22)
        #expect(JSONTree(many, nodeLimit: 21) == nil)
        let number = Array("[".utf8) + Array(repeating: UInt8(ascii: "9"), count: 5000) + Array("]".utf8)
        #expect(JSONTree(number) == nil)
        #expect(throws: JSONTree.Problem.tooManyValues(limit: 21)) {
            try JSONTree(many, nodeLimit: 21, depthLimit: 64)
        }
        #expect(throws: JSONTree.Problem.tooDeep(limit: 63)) { try JSONTree(deep, nodeLimit: 100, depthLimit: 63) }
        #expect(throws: JSONTree.Problem.noGroup) { try JSONTree(Array("[1".utf8), nodeLimit: 100, depthLimit: 63) }
    }

    @Test("Bytes that were changed anywhere make a tree or none, and every tree can be laid out, found and folded")
    func mutations() throws {
        var random = GoldenRandom(seed: 7)
        let bytes = Array(Self.order.utf8)
        let strange = Array("{}[],:\"\\0-eE.tfn \u{1}".utf8) + [0xFF, 0x80, 0xC3]
        var trees = 0
        for _ in 0..<4000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: changed.remove(at: position)
                case 1: changed[position] = strange.randomElement(using: &random) ?? 0
                default: changed.insert(strange.randomElement(using: &random) ?? 0, at: position)
                }
            }
            guard let tree = JSONTree(changed) else { continue }
            trees += 1
            #expect(!tree.lines(limit: 999).isEmpty)
            var view = JSONView(tree)
            view.toggleAll()
            for line in 0..<view.count { _ = view.line(line) }
            for node in tree.nodes.indices { _ = tree.path(of: node) }
        }
        #expect(trees > 100)
    }

    @Test("Each value knows what stands in it")
    func structure() throws {
        let tree = try #require(self.tree(Self.order))
        #expect(
            tree.children(of: 0).map { tree.name(of: $0).map { String(decoding: $0, as: UTF8.self) } } == [
                "items", "next", "",
            ])
        #expect(tree.nodes[0].count == 3)
        #expect(tree.nodes.filter { $0.kind == .object }.count == 4)
        #expect(tree.nodes.allSatisfy { $0.parent < $0.end })
    }

    @Test(
        "Names are compared as they are meant",
        arguments: [
            (#""a""#, "a"), (#""\u0061\n\t\\\/\"""#, "a\n\t\\/\""), (#""\ud83d\ude00""#, "😀"),
            (#""\ud83d""#, "\u{FFFD}"),
            (#""\u00e""#, "u00e"), (#""é\u00e9""#, "éé"),
        ])
    func escapes(written: String, meant: String) throws {
        let tree = try #require(self.tree("{" + written + ":1}"))
        #expect(try String(decoding: #require(tree.name(of: 1)), as: UTF8.self) == meant)
    }
}

@Suite("Paths into JSON")
struct JSONPathTests {
    private func tree() throws -> JSONTree { try #require(JSONTree(Array(JSONTreeTests.order.utf8))) }

    @Test(
        "A path finds what is meant",
        arguments: [
            ("", ["."]), (".", ["."]), ("$", ["."]), ("/", ["."]), (".items[0].name", [".items[0].name"]),
            ("items[0].name", [".items[0].name"]), ("$.items[1]", [".items[1]"]),
            (".items[-1].tags", [".items[1].tags"]),
            (".items[].name", [".items[0].name", ".items[1].name"]), (".items[*].n", [".items[0].n"]),
            (".items.*.name", [".items[0].name", ".items[1].name"]), (".items.[0].n", [".items[0].n"]),
            ("/items/0/name", [".items[0].name"]), ("/items/1", [".items[1]"]), ("/next", [".next"]),
            (#".["items"][0]["n"]"#, [".items[0].n"]), (#"[""]["a.b"]"#, [#"[""]["a.b"]"#]),
            (#"."".*"#, [#"[""]["a.b"]"#]),
        ])
    func finding(path: String, found: [String]) throws {
        let tree = try self.tree()
        let nodes = try tree.find(JSONPath(path))
        #expect(nodes.map { tree.path(of: $0) } == found)
    }

    @Test("Slashes and tildes of names are written as RFC 6901 has it")
    func pointers() throws {
        let tree = try #require(JSONTree(Array(#"{"a/b": {"~": 1, "0": 2}, "": 3}"#.utf8)))
        #expect(try tree.find(JSONPath("/a~1b/~0")) == [2])
        #expect(try tree.find(JSONPath("/a~1b/0")) == [3])
        #expect(throws: JSONPath.Problem.self) { try tree.find(JSONPath("/a/b")) }
    }

    @Test("The path of every value finds it again")
    func roundTrip() throws {
        let tree = try self.tree()
        for node in tree.nodes.indices { #expect(try tree.find(JSONPath(tree.path(of: node))) == [node]) }
    }

    @Test(
        "What is no path is said in one sentence",
        arguments: [
            (".items[", "["), (".items[x]", "[x]"), (".items..name", ".name"), ("[0]x", "x"), (".[\"a", "\"a"),
            ("[\"a\"", "[\"a\""),
            ("[--1]", "[--1]"),
        ])
    func problems(path: String, position: String) {
        do {
            _ = try JSONPath(path)
            Issue.record("\(path) was understood")
        } catch {
            #expect(error.sentence.string == PathErrors.invalid(SafeText(untrusted: position)).string)
        }
    }

    @Test(
        "A path that finds nothing says up to where there is something",
        arguments: [
            (".items[7]", "No [7] in .items (2 elements)"), (".item", "No \"item\" in the body (3 members)"),
            (".next.x", "No \"x\" in .next (a single value)"),
            (".items[0].name[0]", "No [0] in .items[0].name (a string)"),
            (".items[1].tags[]", "Nothing in .items[1].tags (0 elements)"),
            ("/items/x", "No \"x\" in .items (2 elements)"),
            (".items[].x", "No \"x\" in any of the 2 values"),
        ])
    func missing(path: String, sentence: String) throws {
        let tree = try self.tree()
        do {
            _ = try tree.find(JSONPath(path))
            Issue.record("Something was found")
        } catch {
            #expect(error.sentence.string == sentence)
        }
    }

    @Test("A path that ends too soon says so", arguments: [".items.", ".a."])
    func unfinished(path: String) {
        #expect(throws: JSONPath.Problem(sentence: PathErrors.unfinished)) {
            _ = try JSONPath(path)
        }
    }
}
