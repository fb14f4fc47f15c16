/// The question before failed and cancelled rows leave the list too; it keeps the ids it was opened with.
struct ClearDialog: Sendable, Equatable {
    enum Button: Int, Sendable, CaseIterable {
        case no, clear
    }

    var ids: [UInt64]
    /// The highlighted button, which Enter presses; the safe one at first.
    var button: Button = .no
}
