/// A screen to look at: the keys that lead there, and those that lead back.
struct GoldenStep: Sendable {
    /// What the screen is called in the names of files.
    var name: String
    /// Typed in one go.
    var keys: String
    /// Leads back, one after the other.
    var back: [String]
    /// Whether the keys are typed again when the screen does not come: it stays only for a few seconds and was missed, or a
    /// row moved under the selection after the keys.
    var triesAgain: Bool

    init(_ name: String, _ keys: String, back: String..., triesAgain: Bool = false) {
        self.name = name
        self.keys = keys
        self.back = back
        self.triesAgain = triesAgain
    }
}
