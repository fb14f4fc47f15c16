import Dashboard

/// Maps roles to styles: the theme's, or the user's own.
///
/// Colour is optional: without it attributes distinguish the roles where that matters, because each state also has its
/// own mark and word.
struct Palette: Sendable {
    private let styles: [Style]

    /// Without colour the attributes remain.
    init(usesColor: Bool, theme: Theme = .terminal, own: [Role: Style] = [:]) {
        styles = Role.allCases.map { role in
            let style = own[role] ?? theme.style(of: role)
            return usesColor ? style : Style(nil, style.attributes)
        }
    }

    subscript(role: Role) -> Style { styles[Int(role.rawValue)] }
}
