import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Checks a run's files before it begins, so that a mistake is a usage error and not half a run.
enum Preflight {
    /// The checked jobs of an invocation and of its lists.
    ///
    /// A list may be a pipe without a writer; signals during that wait have their default effect. `refuse` gets the
    /// problem of each line of a list; it throws where nothing may begin.
    static func jobs(
        of invocation: Invocation, signals: Signals, asks: Bool = true,
        refuse: (UsageError) throws(UsageError) -> Void = { (error) throws(UsageError) in throw error }
    ) throws(UsageError) -> JobList {
        if let directory = invocation.settings.directory {
            try checkFolder(directory, label: invocation.settings.directoryLabel)
        }
        if let path = invocation.settings.checksumsPath,
            let sentence = try ChecksumList(path: path).unreadSentence(of: SafeText(untrusted: path))
        {
            Netdash.say("netdash: " + sentence)
        }
        if let path = invocation.settings.failedPath { try checkDestination(path, label: "--failed-to") }
        if let path = invocation.settings.archivePath { try checkDestination(path, label: "--archive") }
        let identity = JobIdentity()
        do throws(JobIdentity.Problem) {
            _ = try identity.runOptions(invocation.settings.options)
        } catch {
            throw error.usage
        }
        func check(_ job: Job) throws(UsageError) {
            let job = invocation.hostRules.applied(to: job)
            if invocation.output == .json, job.output == .standardOutput { throw Self.streamBesideJSON }
            if job.ifExists == .ask, !asks { throw Self.noUserToAsk }
            try Self.check(job, directory: invocation.settings.directory)
            try identity.check(job)
        }
        if !asks, invocation.jobDefaults.ifExists == .ask { throw noUserToAsk }
        for job in invocation.jobs { try check(job) }
        var jobs = invocation.jobs
        var lists: [InputList] = []
        var unchecked: [Job] = []
        var precedence = PrecedenceCheck()
        for operand in invocation.inputLists where operand != "-" {
            let name = operand.path
            let (bytes, address) = try contents(of: operand, invocation, signals)
            let source: ListSource = address.map { .server(url: $0) } ?? .user
            let document = ListDocument(
                bytes: bytes, name: Redaction.url(name), source: source, address: address,
                defaults: invocation.jobDefaults, template: invocation.listTemplate, choice: invocation.linkChoice)
            if let format = operand.isCurl ? ListFormat.curlConfiguration : ListFormat.of(document) {
                let found = try format.read(document)
                for remark in found.remarks { Netdash.say("netdash: " + remark) }
                for job in found.jobs { try check(job) }
                if invocation.jobDefaults.options.contains(.insecure) { unchecked += found.jobs }
                jobs += found.jobs
                continue
            }
            let list = try InputList(
                bytes, name: name, source: source, defaults: invocation.jobDefaults,
                directory: invocation.settings.directory, template: invocation.listTemplate, refuse: refuse
            ) { (job, line) throws(UsageError) in
                try check(job)
                if job.precedence != nil {
                    do throws(PrecedenceCheck.Problem) {
                        try precedence.add(job.precedence, label: "\(name):\(line)")
                    } catch {
                        try refuse(UsageError(argument: error.label, error.sentence))
                    }
                }
                if job.options.contains(.insecure) { unchecked.append(job) }
            }
            lists.append(list)
            if !list.ignored.isEmpty {
                let names = list.ignored.joined(separator: ", ")
                Netdash.say(
                    "netdash: " + FileErrors.ignored(SafeText(untrusted: name), SafeText(untrusted: names)))
            }
        }
        do throws(PrecedenceCheck.Problem) {
            try precedence.finish()
        } catch {
            try refuse(UsageError(argument: error.label, error.sentence))
        }
        for warning in identity.warnings { Netdash.say("netdash: " + warning) }
        if let warning = unchecked.trustWarning() { Netdash.say("netdash: " + warning) }
        return JobList(jobs, lists, rules: invocation.hostRules)
    }

    /// Lines and JSON ask nothing.
    static let noUserToAsk = UsageError(argument: "--if-exists", JobUsage.askNeedsDashboard)

    /// Standard output carries one kind of lines.
    static let streamBesideJSON = UsageError(argument: "-i", FileErrors.outIsJSON)

    private static func check(_ job: Job, directory: String?) throws(UsageError) {
        if case .file(let path) = job.body, let problem = LocalEndpoints.problem(withReading: path) {
            // A request names its file behind -b, in a list or in a .http file.
            throw UsageError(argument: job.kind == .upload ? "FILE" : "body", problem)
        }
        guard case .name(let name) = job.output else { return }
        let destination = JobDestination.resolve(job, defaultDirectory: job.kind == .download ? directory : nil)
        if isFolder(destination.folder + "/" + (destination.name ?? "")) {
            throw UsageError(argument: "-o", FileNameUsage.folder(name))
        }
    }

    private static func checkFolder(_ path: String, label: String) throws(UsageError) {
        guard access(path, F_OK) == 0 else { return }
        guard isFolder(path) else { throw UsageError(argument: label, FileErrors.notFolder(path)) }
        guard access(path, W_OK | X_OK) == 0 else {
            let number = errno
            var error = UsageError(argument: label, FileErrors.unwritable(path, SystemWords.text(number)))
            error.isOfDisk = SystemWords.isDiskRefusal(number)
            throw error
        }
    }

    private static func checkDestination(_ path: String, label: String) throws(UsageError) {
        if let problem = LocalEndpoints.problem(withNewFile: path) { throw UsageError(argument: label, problem) }
    }

    /// The bytes of a list, which is a file, a pipe or a URL, and the URL after redirects; nil for a file.
    private static func contents(
        of operand: ListOperand, _ invocation: Invocation, _ signals: Signals
    ) throws(UsageError) -> (bytes: [UInt8], address: String?) {
        guard !operand.isCurl, RemoteList.isURL(operand.path) else {
            return (try contents(of: operand.path, signals), nil)
        }
        var list = invocation.jobDefaults
        list.url = try URLText.checked(operand.path, label: "-i")
        let found = try RemoteList.fetch(
            list.url, as: invocation.hostRules.applied(to: list), settings: invocation.settings)
        return (found.bytes, found.address)
    }

    private static func contents(of path: String, _ signals: Signals) throws(UsageError) -> [UInt8] {
        // O_NONBLOCK, because opening a pipe would wait for its writer against every signal.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw UsageError(argument: "-i", FileErrors.unreadable(path, SystemWords.text(errno)))
        }
        defer { close(descriptor) }
        guard !isFolder(path) else { throw UsageError(argument: "-i", FileErrors.folder(path)) }
        var result: [UInt8] = []
        var status = stat()
        if fstat(descriptor, &status) == 0 { result.reserveCapacity(Int(clamping: status.st_size)) }
        do throws(Descriptor.ReadError) {
            while true {
                signals.obey(until: descriptor)
                guard let bytes = try Descriptor.read(descriptor, limit: 256 << 10) else { continue }
                if bytes.isEmpty { break }
                result += bytes
            }
        } catch {
            throw UsageError(argument: "-i", FileErrors.unreadable(path, error.text))
        }
        return result
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
