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
        case completions(Shell)
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
    /// The keys of the dashboard's commands.
    var keys: KeyBindings { changedKeys ?? .standard }

    /// The warning that nobody checks the certificates of some servers; nil while all are checked.
    var trustWarning: SafeText? {
        var hosts: [String] = []
        for job in jobs where job.options.contains(.insecure) {
            guard let host = URLScan(job.url).host.map({ String(job.url[$0]) }), !hosts.contains(host) else { continue }
            hosts.append(host)
        }
        var subjects = hosts.prefix(3).map { SafeText(untrusted: $0) }
        if hosts.count > 3 { subjects.append(SafeText(hosts.count - 3) + " more") }
        if !inputLists.isEmpty, jobDefaults.options.contains(.insecure) { subjects.append("the servers of the list") }
        guard !subjects.isEmpty else { return nil }
        return "The certificate of " + subjects.joined(by: ", ") + " is not checked, so anybody may listen (--insecure)"
    }

    /// Whether a body goes to standard output, which then cannot carry a dashboard.
    var usesStandardOutput: Bool {
        jobs.contains { $0.output == .standardOutput }
    }
}
