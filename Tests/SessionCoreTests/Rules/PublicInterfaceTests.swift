import Testing

/// What the library promises to programs of other packages stays small enough to be learnt.
@Suite("Public interface", .timeLimit(.minutes(1)))
struct PublicInterfaceTests {
    /// `import SessionCore` brings the values along.
    private static let core = ["SessionCore", "TransferValues"]

    @Test("The library has at most 110 public types and 550 public members")
    func coreIsBounded() throws {
        let declarations = try PublicDeclarations.of(Self.core)
        try #require(declarations.types.count > 50)
        #expect(declarations.types.count <= 110, "\(declarations.types.map(\.name).sorted())")
        #expect(declarations.memberCount <= 550)
    }

    @Test("Types and members are found however they are declared, and what is not public is not counted")
    func declarationsAreFound() {
        let lines = [
            "/// A box.", "@dynamicMemberLookup", "public final class Box: Sendable {",
            "    public var size: Int { 1 }",
            "    package var weight = 1", "    /// How it is closed.", "    public enum Lid {", "        case open",
            "    }",
            "    @inlinable public static func make() {}", "    public init() {}", "}", "", "extension Box.Lid {",
            "    public subscript(name: String) -> Int { 1 }", "    public struct Key {", "    }", "}",
            "package struct Hidden {", "}", "public import Foundation", "// public var none = 1",
        ]
        let found = PublicDeclarations([SourceTree.File(path: "Sources/A/B.swift", lines: lines)])
        #expect(found.types.map(\.name) == ["Box", "Box.Lid", "Box.Lid.Key"])
        #expect(found.types.map(\.comment) == [["A box."], ["How it is closed."], []])
        #expect(found.types.first?.folder == "Sources/A")
        #expect(found.memberCount == 4)
    }
}
