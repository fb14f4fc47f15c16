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
        let judge = JobCheck(directory: invocation.settings.directory)
        do throws(JobIdentity.Problem) {
            _ = try judge.identity.runOptions(invocation.settings.options)
        } catch {
            throw error.usage
        }
        func check(_ job: Job) throws(UsageError) {
            let job = invocation.hostRules.applied(to: job)
            if invocation.output == .json, job.output == .standardOutput { throw Self.streamBesideJSON }
            if job.ifExists == .ask, !asks { throw Self.noUserToAsk }
            try judge.check(job)
        }
        if !asks, invocation.jobDefaults.ifExists == .ask { throw noUserToAsk }
        for job in invocation.jobs { try check(job) }
        var jobs = invocation.jobs
        var lists: [InputList] = []
        var unchecked: [Job] = []
        var precedence = PrecedenceCheck()
        for operand in invocation.inputLists where operand != "-" {
            let (bytes, address) = try contents(of: operand, invocation, signals)
            let document = ListDocument(
                bytes: bytes, name: Redaction.url(operand.path), source: address.map { .server(url: $0) } ?? .user,
                dialect: invocation.listDialect, address: address, defaults: invocation.jobDefaults,
                template: invocation.listTemplate,
                choice: invocation.linkChoice)
            let file = try ListFile(
                document, as: operand.isCurl ? ListFormat.curlConfiguration : nil,
                directory: invocation.settings.directory, precedence: &precedence, refuse: refuse
            ) { (job) throws(UsageError) in
                try check(job)
                if job.options.contains(.insecure) { unchecked.append(job) }
            }
            for warning in file.warnings { Netdash.say("netdash: " + warning) }
            switch file.content {
            case .jobs(let found): jobs += found
            case .list(let list): lists.append(list)
            }
        }
        do throws(PrecedenceCheck.Problem) {
            try precedence.finish()
        } catch {
            try refuse(UsageError(argument: error.label, error.sentence))
        }
        for warning in judge.identity.warnings { Netdash.say("netdash: " + warning) }
        if let warning = unchecked.trustWarning() { Netdash.say("netdash: " + warning) }
        return JobList(jobs, lists, rules: invocation.hostRules)
    }

    /// Lines and JSON ask nothing.
    static let noUserToAsk = UsageError(argument: "--if-exists", JobUsage.askNeedsDashboard)

    /// Standard output carries one kind of lines.
    static let streamBesideJSON = UsageError(argument: "-i", FileErrors.outIsJSON)

    private static func checkFolder(_ path: String, label: String) throws(UsageError) {
        guard access(path, F_OK) == 0 else { return }
        guard FileKind.isFolder(path) else { throw UsageError(argument: label, FileErrors.notFolder(path)) }
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
            list.url, as: invocation.hostRules.applied(to: list), settings: invocation.settings, signals: signals)
        switch found {
        case .list(let bytes, let address): return (bytes, address)
        case .ended(let signal): Signals.end(by: signal)
        }
    }

    private static func contents(of path: String, _ signals: Signals) throws(UsageError) -> [UInt8] {
        do throws(UsageError) {
            return try bytes(of: path, signals)
        } catch {
            throw error.ofFile
        }
    }

    private static func bytes(of path: String, _ signals: Signals) throws(UsageError) -> [UInt8] {
        // O_NONBLOCK, because opening a pipe would wait for its writer against every signal.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw UsageError(argument: "-i", FileErrors.unreadable(path, SystemWords.text(errno)))
        }
        defer { close(descriptor) }
        guard !FileKind.isFolder(path) else { throw UsageError(argument: "-i", FileErrors.folder(path)) }
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
}
