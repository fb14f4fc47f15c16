/// The question before the program leaves while transfers are live.
struct QuitDialog: Sendable, Equatable {
    enum Button: Int, Sendable, CaseIterable {
        case stay, quit, wait
    }

    /// The highlighted button, which Enter presses; the safe one at first.
    var button: Button = .stay
}
