/// A screen to look at: the keys that lead there, and those that lead back.
struct GoldenStep: Sendable {
    /// What the screen is called in the names of files.
    var name: String
    /// Typed in one go.
    var keys: String
    /// Leads back, one after the other.
    var back: [String]
    /// Whether the screen stays only for a few seconds, so that a test that came too late has to try again.
    var isBrief: Bool

    init(_ name: String, _ keys: String, back: String..., isBrief: Bool = false) {
        self.name = name
        self.keys = keys
        self.back = back
        self.isBrief = isBrief
    }
}
