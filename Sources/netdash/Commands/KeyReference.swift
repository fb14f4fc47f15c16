/// The key table as text, for `--help-keys` and the documentation.
enum KeyReference {
    /// One line per command, grouped by screen.
    static func text() -> String { "" }
}
