import SourceTestSupport
import Testing

@Suite("Type references", .timeLimit(.minutes(1)))
struct TypeReferencesTests {
    private static let model = (path: "Model/Row.swift", text: "package struct Row { enum State { case idle } }")

    private static func arrows(_ text: String, and more: (path: String, text: String)? = nil) -> [String] {
        let files = [model, (path: "View/RowView.swift", text: text)] + (more.map { [$0] } ?? [])
        return TypeReferences(module: "Dashboard", files: files).arrows(between: ["Model", "View"])
            .flatMap { arrow, references in references.map { "\(arrow) \($0)" } }.sorted()
    }

    @Test(
        "A type of another room is found wherever code names it",
        arguments: [
            "struct RowView {\n let row: Row }", "func draw(_ row:\n Row) {}",
            "extension Row {\n func f(_ r: Row) {} }",
            "let text =\n \"\\(Row.self)\"", "let rows:\n [Dashboard.Row] = []", "let a = 1 /* x */\n let b = Row()",
            "let text = #\"\"\"\n\\#(Row())\"\"\"#",
        ])
    func typeIsFound(text: String) {
        #expect(Self.arrows(text).contains("View → Model View/RowView.swift:2: Row"), "\(Self.arrows(text))")
    }

    @Test(
        "What only looks like a type is none",
        arguments: [
            "// Row", "/* /* */ Row */", "let text = \"Row\"", "let text = \"\"\"\n Row \\\\(Row)\n\"\"\"",
            "let text = #\"\\(Row)\"#", "let state = value.Row", "struct RowView { struct Row {}; let row: Row }",
            "struct List<Row> { let first: Row }", "private struct Row {}\nlet row = Row()",
        ])
    func otherWordsAreNone(text: String) {
        #expect(Self.arrows(text).isEmpty, "\(Self.arrows(text))")
    }

    @Test("A nested type is at home where it is declared, not where the type around it is")
    func nestedTypesHaveTheirOwnHome() {
        let further = (path: "View/Row+Shape.swift", text: "extension Row { struct Shape {} }")
        let arrows = TypeReferences(
            module: "Dashboard", files: [(path: "Model/Use.swift", text: "let shape: Row.Shape"), Self.model, further]
        ).arrows(between: ["Model", "View"])
        #expect(arrows[.init(from: "Model", to: "View")]?.map(\.type) == ["Row.Shape"])
    }

    @Test("A member that an extension adds in another room is found, if nothing else has a member of that name")
    func addedMembersAreFound() {
        let use = (path: "Model/Use.swift", text: "func use(row: Row) { row.draw(); _ = row.idle }")
        #expect(
            Self.arrows("extension Row { func draw() {} }", and: use).filter { $0.hasPrefix("Model") }
                == ["Model → View Model/Use.swift:1: draw"])
        #expect(
            Self.arrows("extension Row { func draw() {} }; struct Pen { func draw() {} }", and: use)
                .filter { $0.hasPrefix("Model") }.isEmpty)
    }

    @Test("Every case of an enumeration is a member, whatever stands between them")
    func everyCaseIsFound() {
        let pen = (path: "Model/Pen.swift", text: "enum Pen { case a = -1, b(Row), draw }; let pen = Pen.draw")
        #expect(Self.arrows("extension Row { func draw() {} }", and: pen) == ["View → Model View/RowView.swift:1: Row"])
    }

    @Test("A function outside of any type is found where it is called")
    func functionsAreFound() {
        let use = (path: "Model/Use.swift", text: "let surface = view(1); let view = 2")
        #expect(
            Self.arrows("func view(_ size: Int) {}", and: use) == ["Model → View Model/Use.swift:1: view()"])
    }

    @Test("A table that is true has no contradictions, and every way to be untrue is named")
    func contradictionsAreNamed() {
        let references = TypeReferences(
            module: "Dashboard", files: [Self.model, (path: "View/RowView.swift", text: "let row = Row()")])
        #expect(references.contradictions(to: ["Model": [], "View": ["Model"]]).isEmpty)
        #expect(
            references.contradictions(to: ["Model": [], "View": []])
                == ["View → Model is not in the table: View/RowView.swift:1: Row (1 in all)"])
        #expect(references.contradictions(to: ["Model": []]) == ["View/RowView.swift is in no room of the table"])
        #expect(
            references.contradictions(to: ["Model": ["View"], "View": ["Model"]])
                == [
                    "Model → View is in the table, but nothing uses it", "Model reaches itself through the table",
                    "View reaches itself through the table",
                ])
    }

    @Test("Folders of one room that use each other are a pair, and folders of two rooms are none")
    func pairsOfFolders() {
        let files = [
            (path: "Model/Row.swift", text: "struct Row {}; let list: List?"),
            (path: "Model/Lists/List.swift", text: "struct List { let row: Row; let sum: Sum }"),
            (path: "Model/Sums/Sum.swift", text: "struct Sum {}"),
            (path: "View/Pen.swift", text: "struct Pen { let row: Row }"),
            (path: "Model/Sums/Ink.swift", text: "let pen: Pen?; let sum: Sum?"),
            (path: "View/Nib.swift", text: "let sum: Sum?"),
        ]
        #expect(TypeReferences(module: "Dashboard", files: files).mutualPairs() == ["Model ↔ Model/Lists"])
    }
}
