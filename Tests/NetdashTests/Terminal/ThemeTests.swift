import Testing

@testable import Dashboard
@testable import netdash

@Suite("Themes")
struct ThemeTests {
    /// The roles whose difference carries meaning without a mark or a word beside it.
    private static let telling: [Role] = [
        .rowSelected, .dialogButtonSelected, .tabSelected, .stateFailed, .toastError, .field, .columnHeader,
    ]

    @Test("In every theme, with colour and without, what has to stand out does", arguments: Theme.allCases)
    func standsOut(theme: Theme) {
        for usesColor in [true, false] {
            let palette = Palette(usesColor: usesColor, theme: theme)
            for role in Self.telling { #expect(palette[role] != palette[.plain], "\(role)") }
            #expect(usesColor || Role.allCases.allSatisfy { palette[$0].color == nil })
        }
    }

    @Test(
        "No theme draws text in a colour that its background swallows",
        arguments: [
            (.terminal, [.black, .blue, .white]), (.dark, [.black, .blue]),
            (.light, [.white, .yellow, .cyan]), (.contrast, Style.Color.allCases),
        ] as [(Theme, [Style.Color])])
    func legible(theme: Theme, swallowed: [Style.Color]) {
        for role in Role.allCases {
            #expect(theme.style(of: role).color.map { swallowed.contains($0) } != true, "\(role)")
        }
    }

    @Test("Dim text is hard to read on a dark screen and in high contrast, and is not there")
    func dim() {
        let dark = Role.allCases.filter { Theme.dark.style(of: $0).attributes.contains(.dim) }
        #expect(dark == [.rule, .gaugeEmpty])
        #expect(Role.allCases.allSatisfy { !Theme.contrast.style(of: $0).attributes.contains(.dim) })
    }

    @Test("The user's own look of a role wins over the theme, and has no colour without colours")
    func own() {
        let own: [Role: Style] = [.stateFailed: Style(.magenta, .underline)]
        #expect(Palette(usesColor: true, theme: .light, own: own)[.stateFailed] == Style(.magenta, .underline))
        #expect(Palette(usesColor: false, own: own)[.stateFailed] == Style(nil, .underline))
        #expect(Palette(usesColor: true, theme: .light, own: own)[.stateRunning] == Style(.green))
    }

    @Test(
        "A look is a colour and attributes, in any order",
        arguments: [
            ("red", Style(.red)), ("bold red", Style(.red, .bold)),
            ("Red, BOLD underline", Style(.red, [.bold, .underline])),
            ("default", Style()), ("default dim", Style(nil, .dim)), ("reverse", Style(nil, .reverse)),
        ] as [(String, Style)])
    func words(text: String, style: Style) {
        #expect(Style(words: text) == style)
    }

    @Test("Other words are no look", arguments: ["", " ", "pink", "red blue", "bold bold", "red default", "#ff0000"])
    func wrongWords(text: String) {
        #expect(Style(words: text) == nil)
    }

    @Test("Each role has a name of its own in the configuration", arguments: Role.allCases)
    func names(role: Role) {
        #expect(Role.named(role.word) == role)
        #expect(role.word.allSatisfy { $0.isLowercase || $0 == "-" })
    }

    @Test("The menu goes through the themes, and the choice can be saved")
    func menu() {
        var model = Model()
        model.knownSettings = model.settings
        _ = update(&model, .key(.character("o")))
        _ = update(&model, .key(.end))
        #expect(update(&model, .key(.right)) == [.setTheme(.dark)])
        #expect(update(&model, .key(.left)) == [.setTheme(.terminal)])
        #expect(update(&model, .key(.left)) == [.setTheme(.contrast)])
        let line = SettingLine(name: "theme", value: "contrast")
        #expect(update(&model, .key(.character("s"))) == [.saveSettings([line])])
    }
}
