import Dashboard
import Glibc
import SessionSupport

/// A section of the configuration about some hosts, such as `[host "*.example.org"]`.
struct HostSection: Sendable, Equatable {
    /// The setting of a line.
    enum Setting: Sendable, Equatable {
        case option(JobOption.Value)
        case key(String, String)
        case header(HeaderFields.Field)
        case folder(String)

        /// What it says about requests; nil for a key or a folder.
        var request: RequestSetting? {
            switch self {
            case .option(let value): .option(value)
            case .header(let field): .field(field)
            case .key, .folder: nil
            }
        }

        /// What it decides: among sections that match the first one counts.
        var subject: String {
            switch self {
            case .option(let value): value.option.matter
            case .key(let key, _): key
            case .header(let field): "header " + ByteText.lowercased(field.name[...])
            case .folder: "dir"
            }
        }

        /// Whether it runs a command of the user.
        var runsCommand: Bool {
            if case .option(let value) = self { value.command != nil } else { false }
        }
    }

    /// Globs of hosts, or of hosts with ports; one that matches after `!` excludes its hosts.
    let patterns: [String]
    var settings: [Setting] = []

    init(patterns: [String]) { self.patterns = patterns.map { ByteText.lowercased($0[...]) } }

    func matches(_ url: String) -> Bool {
        let scan = URLScan(url)
        guard let host = scan.host.map({ ByteText.lowercased(url[$0]) }), !host.isEmpty else { return false }
        let port = scan.port.map { String(url[$0]) } ?? (scan.isEncrypted ? "443" : "80")
        func fits(_ pattern: String) -> Bool {
            // An address of IPv6 has colons of its own, in brackets.
            let hasPort = pattern.hasPrefix("[") ? pattern.contains("]:") : pattern.contains(":")
            let name = hasPort ? host + ":" + port : host
            return pattern == name || fnmatch(pattern, name, 0) == 0
        }
        let isExcluded = patterns.contains { $0.hasPrefix("!") && fits(String($0.dropFirst())) }
        return !isExcluded && patterns.contains { !$0.hasPrefix("!") && fits($0) }
    }
}

/// The sections about hosts, what wins over them, what yields to URLs, and the command line's options for all requests.
struct HostRules: Sendable, Equatable {
    var sections: [HostSection] = []
    /// The defaults of the configuration alone: where a job has other values, its user has chosen them.
    var base = Job(kind: .download, url: "")
    /// What the command line says about requests.
    var given: [RequestSetting] = []
    /// The subjects that it has decided.
    var subjects: Set<String> = []
    /// The command line's options for all requests.
    var run = RunOptions()

    /// Whether they change no job.
    var isEmpty: Bool { sections.isEmpty && run.values.isEmpty && !hasIdentity }

    /// Whether the configuration says who asks, unlike which a URL may say it too.
    private var hasIdentity: Bool { base.settings.contains(where: \.identifies) }

    /// A job with the settings of its host, and of the run, that nothing closer to it has set, and without the
    /// configuration's credentials where its URL has its own.
    ///
    /// A second time changes nothing.
    func applied(to job: Job) -> Job { run.completing(withHost(job.preferringURL(to: base))) }

    /// Jobs with these settings; the ones that shared their terms still do.
    func applied(to jobs: [Job]) -> [Job] {
        guard !isEmpty else { return jobs }
        guard sections.isEmpty else { return jobs.map { applied(to: $0) } }
        let hasIdentity = hasIdentity
        var latest: (given: Job, applied: Job)?
        return jobs.map { job in
            if hasIdentity, job.settingOfURL != nil { return applied(to: job) }
            guard var result = latest.flatMap({ job.differsOnlyInURL(from: $0.given) ? $0.applied : nil }) else {
                let result = run.completing(job)
                latest = (job, result)
                return result
            }
            result.url = job.url
            return result
        }
    }

    private func withHost(_ job: Job) -> Job {
        guard !sections.isEmpty else { return job }
        var result = job
        var decided = given + job.ownSettings(beside: base)
        if let own = job.settingOfURL { decided.append(own) }
        var subjects = subjects
        for section in sections where section.matches(job.url) {
            let open = section.settings.filter { setting in
                let isDecided =
                    setting.request.map { request in decided.contains { $0.replaces(request) } }
                    ?? subjects.contains(setting.subject)
                return !isDecided && !isChosen(setting, by: job)
            }
            let requests = open.compactMap(\.request)
            result = result.without(base.settings) { far in requests.contains { $0.replaces(far) } }
            for setting in open { apply(setting, to: &result) }
            decided += section.settings.compactMap(\.request)
            subjects.formUnion(section.settings.map(\.subject))
        }
        return result
    }

    /// Whether a job has its own value.
    private func isChosen(_ setting: HostSection.Setting, by job: Job) -> Bool {
        switch setting {
        case .option(let value):
            func values(_ job: Job) -> [JobOption.Value] {
                job.options.filter { $0.option.matter == value.option.matter }
            }
            // Repeatable fields are decided by their names.
            return !value.option.isRepeatable && values(job) != values(base)
        case .key(let name, _):
            var usual = base
            usual.kind = job.kind
            return JobKey.said(by: job, beside: usual).contains { $0.name == name }
        case .header: return false
        case .folder: return job.directory != nil
        }
    }

    private func apply(_ setting: HostSection.Setting, to job: inout Job) {
        switch setting {
        case .option(let value):
            let fits =
                switch value.option.subject {
                case .requests: true
                case .downloads: job.kind == .download
                case .uploads: job.kind == .upload
                case .body, .answers: false
                }
            if fits { job.options.set(value) }
        case .key(let name, let text):
            if let set = try? JobKey.named(name)?.reading(text) { set(&job) }
        case .header(let field):
            job.headers.removeAll { ByteText.isSame($0.name, field.name) }
            if !field.value.isEmpty { job.headers.append(field) }
        case .folder(let path): if job.kind == .download { job.directory = path }
        }
    }
}
