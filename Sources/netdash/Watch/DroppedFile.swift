import Dashboard
import SessionSupport
import TransferService

/// A file that was dropped into a watched folder: its name and bytes, read as jobs or refused with a sentence.
///
/// It touches no file and no network; ``jobs(terms:)`` is all or nothing.
struct DroppedFile {
    /// What a file contains, by the extension of its name.
    enum Kind: String, CaseIterable {
        case shortcut = "url"
        case metalink
        case metalinkOfVersion4 = "meta4"
        case list = "txt"
        case commands = "curl"
        case requests = "http"
    }

    /// What the jobs of dropped files have in common.
    struct Terms {
        /// The terms of a download that names none.
        var defaults = Job(kind: .download, url: "")
        /// The settings of some hosts, and of the run.
        var rules = HostRules()
        /// The names of downloads without their own.
        var template: NameTemplate?
        /// The absolute path of the folder that downloads go to and relative paths start at.
        var folder: String
        var environment: [String: String] = [:]
    }

    let name: String
    let kind: Kind
    let bytes: [UInt8]

    /// Returns the kind of a file by its name; nil for one that a watched folder ignores: a hidden one, and one with
    /// another extension.
    static func kind(of name: String) -> Kind? {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return nil }
        return Kind(rawValue: ByteText.lowercased(name[name.index(after: dot)...]))
    }

    /// The jobs with absolute paths; throws the first problem.
    func jobs(terms: Terms) throws(UsageError) -> [Job] {
        let jobs = try read(terms)
        guard !jobs.isEmpty else { throw UsageError(argument: name, WatchUsage.noTask) }
        for job in jobs { try refuseStreamsAndCommands(job) }
        return terms.rules.applied(to: jobs).map { job in
            SavedJob.absolute(job, directory: terms.folder, base: terms.folder).namedAfterFile
        }
    }

    private func read(_ terms: Terms) throws(UsageError) -> [Job] {
        switch kind {
        case .shortcut: return [try shortcut(terms)]
        case .list: return try list(terms)
        case .metalink, .metalinkOfVersion4:
            let document = ListDocument(bytes: bytes, name: name, defaults: terms.defaults)
            guard ListFormat.of(document)?.name == ListUsage.metalink else {
                throw UsageError(argument: name, WatchUsage.notMetalink)
            }
            return try list(terms)
        case .commands: return try commands(terms)
        case .requests: return try requests(terms)
        }
    }

    /// A service has no standard streams, and a browser may have saved the file: it starts nothing but transfers.
    private func refuseStreamsAndCommands(_ job: Job) throws(UsageError) {
        guard job.output != .standardOutput, job.body != .standardInput else {
            throw UsageError(argument: name, ServiceUsage.streams)
        }
        if let option = job.options.first(where: { $0.command != nil })?.option {
            throw UsageError(argument: name, WatchUsage.runsCommand(option.name))
        }
    }

    // MARK: - Kinds

    private func list(_ terms: Terms) throws(UsageError) -> [Job] {
        var precedence = PrecedenceCheck()
        let document = ListDocument(bytes: bytes, name: name, defaults: terms.defaults, template: terms.template)
        let jobs = try ListFile(document, directory: terms.folder, precedence: &precedence).jobs
        do throws(PrecedenceCheck.Problem) {
            try precedence.finish()
        } catch {
            throw UsageError(argument: error.label, error.sentence)
        }
        return jobs
    }

    /// The download of an Internet shortcut, whose other lines may have any coding.
    private func shortcut(_ terms: Terms) throws(UsageError) -> Job {
        var isInSection = false
        var job = terms.defaults
        let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = ByteText.trimmed(line)
            if line.hasPrefix("[") { isInSection = ByteText.isSame(line, "[InternetShortcut]") }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard isInSection, parts.count == 2, ByteText.isSame(ByteText.trimmed(parts[0]), "URL") else { continue }
            try URLText.set(ByteText.trimmed(parts[1]), of: &job, label: "\(name):\(index + 1)")
            if let template = terms.template { job.output = template.output(for: job.url) }
            return job.preferringURL(to: terms.defaults)
        }
        throw UsageError(argument: name, WatchUsage.noShortcut)
    }

    private func requests(_ terms: Terms) throws(UsageError) -> [Job] {
        let file = try RequestFile.file(in: bytes, name: name, folder: terms.folder, environment: terms.environment)
        var defaults = terms.defaults
        (defaults.kind, defaults.checksum) = (.data, nil)
        return try file.requests.map { $0.job(defaults, beside: terms.rules.base) }
    }

    private func commands(_ terms: Terms) throws(UsageError) -> [Job] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(argument: name, WatchUsage.notUTF8)
        }
        var jobs: [Job] = []
        for command in CurlCommandList(text).commands {
            jobs += try self.jobs(of: command.text, label: "\(name):\(command.line)", terms.defaults)
        }
        if let template = terms.template {
            for index in jobs.indices where jobs[index].kind == .download && jobs[index].output == .automatic {
                jobs[index].output = template.output(for: jobs[index].url, number: index + 1)
            }
        }
        return jobs
    }

    private func jobs(of command: String, label: String, _ defaults: Job) throws(UsageError) -> [Job] {
        func refusal(_ sentence: String) -> UsageError { UsageError(argument: label, sentence) }
        guard CurlCommandReader.isCommand(command) else { throw refusal(WatchUsage.notCurl) }
        let expansions = CurlCommandReader.expansions(in: command)
        guard expansions.isEmpty else {
            throw refusal(WatchUsage.expansions(expansions.joined(separator: ", ")))
        }
        guard let reading = CurlCommandReader.read(command) else { throw refusal(WatchUsage.incompleteCurl) }
        guard reading.unknown.isEmpty else {
            throw refusal(WatchUsage.unknownOptions(reading.unknown.joined(separator: ", ")))
        }
        var job = CurlList.merged(reading.job, over: defaults)
        (job.url, job.output) = (reading.job.url, reading.job.output)
        job.usesHTTP2 = reading.job.usesHTTP2 || defaults.usesHTTP2
        try ListKey.check(job, label: label)
        let urls = try URLGlob.urls(in: try URLText.checked(job.url, label: label), label: label)
        guard urls.count == 1 || job.kind == .download && job.output == .automatic else {
            throw refusal(WatchUsage.several(urls.count))
        }
        return try urls.map { (url) throws(UsageError) in
            job.url = url
            if job.output == CurlCommandReader.nameOfURL, let name = job.output.name {
                job.output = try NameTemplate(name, label: label)?.output(for: url) ?? job.output
            }
            return job
        }
    }
}
