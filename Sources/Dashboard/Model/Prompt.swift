/// A question of one line in place of the footer.
struct Prompt: Sendable, Equatable {
    /// What the answer is for.
    enum Purpose: Sendable, Equatable {
        /// Where the body of this data request is written to.
        case writeBody(UInt64)
        /// How many seconds lie between two runs of this data request.
        case repeatRequest(UInt64)
        /// What is looked for in the full-screen details.
        case search
    }

    var purpose: Purpose
    var field: TextField
    var problem: SafeText?

    /// What stands before the field.
    var title: SafeText {
        switch purpose {
        case .writeBody: "Write the body to"
        case .repeatRequest: "Send every (seconds, empty to stop)"
        case .search: "Search (empty to stop)"
        }
    }

    /// Which earlier answers it offers.
    var history: FieldHistory.Kind {
        switch purpose {
        case .writeBody: .path
        case .repeatRequest: .seconds
        case .search: .search
        }
    }

    /// Whether Tab completes paths in it.
    var takesPath: Bool {
        switch purpose {
        case .writeBody: true
        case .repeatRequest, .search: false
        }
    }
}
