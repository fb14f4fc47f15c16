import SessionSupport
import Testing

@testable import Dashboard

@Suite("Templates in the form")
struct UpdateTemplateTests {
    private static let clock = LocalClock(
        now: { 0 }, reading: { _ in .init(year: 2026, month: 3, day: 2, hour: 7, minute: 5) }, moment: { _ in nil })

    private func form(saveAs name: String, _ url: String, further: String...) -> AddForm {
        var form = AddForm()
        form[.url] = TextField(url)
        form[.name] = TextField(name)
        form.furtherURLs = further
        return form
    }

    @Test("A name is a template as with -o, and each URL has its own file")
    func templates() throws {
        func names(_ form: AddForm) throws -> [String?] { try form.jobs(clock: Self.clock).map(\.output.name) }
        #expect(try names(form(saveAs: "sub/{date}-{name}", "http://h/a.bin?x=1")) == ["sub/2026-03-02-a.bin"])
        #expect(try names(form(saveAs: "#1_{name}", "http://h/p[1-2]")) == ["1_p1", "2_p2"])
        #expect(try names(form(saveAs: "{number}.bin", "http://h/a", further: "http://h/b")) == ["1.bin", "2.bin"])
        #expect(try names(form(saveAs: "{host}/", "http://h/a", further: "http://i/b")) == ["h/", "i/"])
        #expect(try names(form(saveAs: "{x}", "http://h/a")) == ["{x}"])
    }

    @Test("A mistyped placeholder and one name of several files are refused in the field of the name")
    func refusals() {
        let unknown = FormLabels.name.string + ": " + TemplateUsage.unknown("nmae", "name")
        for (form, sentence) in [
            (form(saveAs: "{nmae}", "http://h/a"), SafeText(untrusted: unknown)),
            (form(saveAs: "#1", "http://h/a[1-2]", further: "http://h/b[1-2]"), FormErrors.oneNameForSeveral),
        ] {
            #expect(throws: AddForm.Problem(field: .name, sentence: sentence)) { try form.jobs() }
        }
    }

    @Test("The destination that is looked up is the one that the template names")
    func destination() {
        #expect(form(saveAs: "{host}-{name}", "http://h/a.bin").wantedDestination?.output == .name("h-a.bin"))
    }

    @Test("An edited task keeps a name with braces")
    func editing() throws {
        var job = Job(kind: .download, url: "http://h/a")
        job.output = .name("{name}")
        var form = AddForm(editing: job, of: 7)
        #expect(try form.jobs().map(\.output) == [job.output])
        form[.name] = TextField("{host}")
        #expect(try form.jobs().map(\.output) == [.name("h")])
    }

    @Test("A list takes a template for files without their own names")
    func list() throws {
        var form = AddForm()
        form[.url] = TextField("/tmp/urls.txt")
        form[.name] = TextField("{host}/{name}")
        #expect(try form.listDefaults().output == .name("{host}/{name}"))
    }
}
