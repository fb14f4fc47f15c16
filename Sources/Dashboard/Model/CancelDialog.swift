/// The question before transfers are cancelled; it keeps the ids it was opened with.
struct CancelDialog: Sendable, Equatable {
    enum Button: Int, Sendable, CaseIterable {
        case no, keep, delete
    }

    var ids: [UInt64]
    /// The highlighted button, which Enter presses; the safe one at first.
    var button: Button = .no
    var top = 0
}
