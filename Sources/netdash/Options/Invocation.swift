import Dashboard
import SessionSupport

/// One call of the program, checked as far as that is possible without side effects.
struct Invocation: Sendable, Equatable {
    /// The requested action.
    enum Action: Sendable, Equatable {
        /// Run the jobs; without any, open an empty dashboard.
        case run
        case demo
        /// Run the saved session without a window.
        case serve
        /// Send the service of the session an order.
        case order(ServiceOrder)
        /// Help on a command, or on all of them.
        case help(ProgramCommand?)
        /// Search commands, options and keys for a word.
        case search(String)
        case completions(Shell)
        /// List the leftovers of interrupted downloads in folders, or remove them.
        case parts(folders: [String], removes: Bool)
        /// Check the program's environment, and the servers of the jobs.
        case doctor
        case version
        case helpKeys

        /// Whether it may add tasks.
        var addsTasks: Bool {
            switch self {
            case .run, .serve, .order(.add): true
            case .demo, .order, .help, .search, .completions, .parts, .doctor, .version, .helpKeys: false
            }
        }
    }

    /// The form of the output.
    enum Output: Sendable, Equatable {
        /// The dashboard on a terminal, else lines.
        case automatic
        case plain
        case json
    }

    var action = Action.run
    /// The jobs, in the order of the command line.
    var jobs: [Job] = []
    /// Files with further jobs; "-" is standard input.
    var inputLists: [ListOperand] = []
    /// The links of pages and HAR files among them that become downloads.
    var linkChoice = LinkChoice()
    /// A file whose requests are sent one after another; nil for none.
    var requestFile: RequestFile?
    /// The default terms of an input list's jobs.
    var jobDefaults = Job(kind: .download, url: "")
    /// The settings of the configuration for some hosts.
    var hostRules = HostRules()
    /// The names of a list's files without their own; nil for the server's.
    var listTemplate: NameTemplate?
    /// The program whose words the lists have.
    var listDialect = ListDialect.netdash
    /// The program whose statuses the run ends with.
    var exits = ExitDialect.netdash
    var settings = Settings()
    var output = Output.automatic
    /// The key table with the user's changes; nil without any.
    var changedKeys: KeyBindings?
    /// What part of the configuration is ignored; nil when none is.
    var configurationWarning: SafeText?
    /// What is not sent of the folders of an upload.
    var leftOut = UploadSources.LeftOut()
    /// What the call asked for and does not get, as sentences.
    var remarks: [SafeText] = []
    var keys: KeyBindings { changedKeys ?? .standard }

    /// The warning that some servers' certificates are not checked; nil while all are.
    var trustWarning: SafeText? {
        let isListUnchecked = !inputLists.isEmpty && jobDefaults.options.contains(.insecure)
        return jobs.trustWarning(further: isListUnchecked ? [CommandLineLabels.serversOfList] : [])
    }

    /// The warning that downloads over HTTP/2 come over one connection each; nil where none is to have several.
    var streamWarning: SafeText? {
        let lists = inputLists.isEmpty ? [] : [jobDefaults]
        let isMeant = (jobs + lists).contains { job in
            guard job.kind == .download, job.usesHTTP2,
                case .exactly(2...) = job.options.terms.segmentation.connections
            else { return false }
            return true
        }
        return isMeant ? CommandLineUsage.oneStream : nil
    }

    /// The warnings to print before the run.
    var warnings: [SafeText] {
        [configurationWarning, trustWarning, streamWarning].compactMap { $0 } + leftOut.remarks + remarks
    }

    /// Whether several bodies may share standard output without having been sent there; a list may hold any number.
    var sharesStandardOutput: Bool {
        !inputLists.isEmpty || jobs.count { $0.kind != .download && $0.output == .automatic } > 1
    }

    /// Whether a body goes to standard output, which then cannot show a dashboard.
    var usesStandardOutput: Bool {
        jobs.contains { $0.output == .standardOutput }
    }
}
