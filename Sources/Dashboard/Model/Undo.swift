/// What `z` would take back, for as long as it is offered.
struct Undo: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case paused, resumed
        /// Priorities were raised by so many steps.
        case prioritised(Int)
        /// Rows were dropped from the list.
        case cleared
    }

    var action: Action
    var ids: [UInt64]
    var expiresAt: Int64
}
