import Dashboard

/// What one call of the program asks for, fully checked as far as that is possible without touching anything.
struct Invocation: Sendable, Equatable {
    /// What to do.
    enum Action: Sendable, Equatable {
        /// Run the jobs; without any, open an empty dashboard.
        case run
        case demo
        case help(HelpTopic)
        case version
        case helpKeys
    }

    /// How results are shown.
    enum Output: Sendable, Equatable {
        /// The dashboard on a terminal, else lines.
        case automatic
        case plain
        case json
    }

    var action = Action.run
    /// Jobs named on the command line, in their order.
    var jobs: [Job] = []
    /// Files with further jobs; "-" is standard input.
    var inputLists: [String] = []
    /// What a job of an input list has when it does not say otherwise.
    var jobDefaults = Job(kind: .download, url: "")
    var settings = Settings()
    var output = Output.automatic
    /// The key table with the user's changes; nil without any.
    var changedKeys: KeyBindings?
    /// Which key does what in the dashboard.
    var keys: KeyBindings { changedKeys ?? .standard }

    /// Whether a body goes to standard output, which then cannot carry a dashboard.
    var usesStandardOutput: Bool {
        jobs.contains { $0.output == .standardOutput }
    }
}

/// A subject that `netdash help` has a text on.
enum HelpTopic: String, Sendable, CaseIterable {
    case general, download, upload, request, demo, help

    /// The commands, for messages.
    static var commandNames: [String] { allCases.filter { $0 != .general }.map(\.rawValue) }
}
