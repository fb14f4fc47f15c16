import Dashboard
import SessionSupport

/// One call of the program, fully checked as far as that is possible without touching anything.
struct Invocation: Sendable, Equatable {
    /// The action that is asked for.
    enum Action: Sendable, Equatable {
        /// Run the jobs; without any, open an empty dashboard.
        case run
        case demo
        /// Help on a command, or on all of them.
        case help(ProgramCommand?)
        /// What has a word in its name or its help: commands, options and keys.
        case search(String)
        case completions(Shell)
        /// List what cut downloads have left in folders, or remove it.
        case parts(folders: [String], removes: Bool)
        /// Look at what is around the program, and at the servers of the jobs.
        case doctor
        case version
        case helpKeys
    }

    /// The form in which results are shown.
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
    /// The terms of a job of an input list that names none of its own.
    var jobDefaults = Job(kind: .download, url: "")
    var settings = Settings()
    var output = Output.automatic
    /// The key table with the user's changes; nil without any.
    var changedKeys: KeyBindings?
    /// What of the configuration does not hold; nil when all of it does.
    var configurationWarning: SafeText?
    /// The keys of the dashboard's commands.
    var keys: KeyBindings { changedKeys ?? .standard }

    /// The warning that nobody checks the certificates of some servers; nil while all are checked.
    var trustWarning: SafeText? {
        let isListUnchecked = !inputLists.isEmpty && jobDefaults.options.contains(.insecure)
        return jobs.trustWarning(further: isListUnchecked ? [CommandLineLabels.serversOfList] : [])
    }

    /// What the user should know before anything begins.
    var warnings: [SafeText] { [configurationWarning, trustWarning].compactMap { $0 } }

    /// Whether a body goes to standard output, which then cannot carry a dashboard.
    var usesStandardOutput: Bool {
        jobs.contains { $0.output == .standardOutput }
    }
}
