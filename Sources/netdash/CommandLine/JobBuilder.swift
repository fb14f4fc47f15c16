import Dashboard
import SessionSupport

/// Builds jobs from a command's operands and options.
struct JobBuilder {
    let options: OptionValues
    /// What is not sent of the folders of an upload.
    private(set) var leftOut = UploadSources.LeftOut()

    init(options: OptionValues) { self.options = options }

    /// The jobs of the command line, in order; the service reports repetitions.
    mutating func jobs(command: ProgramCommand?, operands: [String]) throws(UsageError) -> [Job] {
        switch command {
        case .upload: return try uploads(operands)
        case .request: return try requests(operands)
        case .download:
            guard !operands.isEmpty || !options.inputLists.isEmpty else {
                throw UsageError(argument: "download", JobUsage.downloadNeedsURL)
            }
            return try downloads(operands)
        case .add:
            guard !operands.isEmpty || !options.inputLists.isEmpty else {
                throw UsageError(argument: "add", ServiceUsage.addNeedsURL)
            }
            return try downloads(operands)
        default: return try downloads(operands)
        }
    }

    private func downloads(_ operands: [String]) throws(UsageError) -> [Job] {
        if options.method != nil {
            throw UsageError(argument: "-X", JobUsage.onlyForRequestsAndUploads)
        }
        if options.body != nil {
            throw UsageError(argument: "-b", JobUsage.bodyOfDownload)
        }
        if let spelling = options.spellings[.include] {
            throw UsageError(argument: spelling, JobUsage.onlyForRequestsAndUploads)
        }
        try refuseBodies()
        var jobs: [Job] = []
        let template = try nameTemplate()
        for operand in operands {
            for (text, values) in try expansions(of: operand) {
                var job = options.jobDefaults
                try URLText.setOperand(text, of: &job)
                if let template { job.output = template.output(for: job.url, values, number: jobs.count + 1) }
                jobs.append(job)
            }
        }
        let isVaried =
            template?.hasFields == true
            || options.inputLists.isEmpty && Set(jobs.map { $0.output.name }).count == jobs.count
        try joinMirrors(&jobs)
        if let out = options.out, template == nil || !isVaried {
            guard jobs.count == 1, options.inputLists.isEmpty else {
                throw UsageError(argument: "-o", JobUsage.outOfSeveral)
            }
            jobs[0].output = try JobDestination.output(named: out, label: "-o")
            if options.output == .json, jobs[0].output == .standardOutput {
                throw UsageError(argument: "-o", JobUsage.standardOutputIsJSON)
            }
            if jobs[0].output == .standardOutput { try refuseFileOptions() }
        }
        if options.jobDefaults.checksum != nil, jobs.count != 1 || !options.inputLists.isEmpty {
            throw UsageError(argument: "--checksum", JobUsage.checksumInList)
        }
        return jobs
    }

    /// The template that `-o` is; nil for a name, and with `--globoff`.
    func nameTemplate() throws(UsageError) -> NameTemplate? {
        guard options.expandsGlobs, let out = options.out else { return nil }
        return try NameTemplate(out, label: "-o")
    }

    /// The URLs of an operand, each with the values of its patterns.
    func expansions(of operand: String) throws(UsageError) -> [(url: String, values: [String])] {
        options.expandsGlobs ? try URLGlob.expansions(of: operand, label: "URL") : [(operand, [])]
    }

    /// Refuses options that do not work with standard output.
    private func refuseFileOptions() throws(UsageError) {
        for option in JobOption.allCases where option.needsFile {
            guard let spelling = options.spellings[.job(option)] else { continue }
            throw UsageError(argument: spelling, JobUsage.needsFile)
        }
    }

    /// With `--mirror` all URLs of the command line are sources of one file.
    private func joinMirrors(_ jobs: inout [Job]) throws(UsageError) {
        for (option, problem) in [(JobOption.mirror, JobUsage.mirrorsInList), (.length, JobUsage.lengthInList)] {
            guard let spelling = options.spellings[.job(option)], !options.inputLists.isEmpty else { continue }
            throw UsageError(argument: spelling, problem)
        }
        guard options.spellings[.job(.mirror)] != nil, let first = jobs.first else {
            if let spelling = options.spellings[.job(.length)], jobs.count > 1 {
                throw UsageError(argument: spelling, JobUsage.lengthOfSeveral)
            }
            return
        }
        var job = first
        job.options += jobs.dropFirst().map { JobOption.Value(.mirror, $0.url) }
        jobs = [job]
    }

    private mutating func uploads(_ operands: [String]) throws(UsageError) -> [Job] {
        try refuseDownloadOptions(of: "upload")
        try refuseBodies()
        var job = Job(kind: .upload, url: "")
        job.headers = options.jobDefaults.headers
        job.options = options.jobDefaults.options
        job.usesHTTP2 = options.jobDefaults.usesHTTP2
        job.method = options.method
        if options.method != nil, job.options.contains(.followsRedirects) { job.keepMethod() }
        guard let last = operands.last, options.body != nil || operands.count > 1 else {
            throw UsageError(argument: "upload", JobUsage.uploadNeedsURL)
        }
        try URLText.setOperand(last, of: &job)
        try refusePattern(job.url)
        if let body = options.body {
            guard operands.count == 1 else {
                throw UsageError(argument: "upload", JobUsage.bodyAndFiles)
            }
            job.body = body
            return [try finished(job)]
        }
        let paths = try operands.dropLast().map { (path) throws(UsageError) in
            try ValueParser.path(path, label: "FILE")
        }
        if paths == ["-"] {
            job.body = .standardInput
            return [try finished(job)]
        }
        return try uploads(of: paths, as: job)
    }

    private mutating func uploads(of paths: [String], as job: Job) throws(UsageError) -> [Job] {
        guard !paths.contains("-") else {
            throw UsageError(argument: "upload", JobUsage.standardInputAmongFiles)
        }
        let found = try UploadSources.jobs(of: paths, as: job, finish: finished)
        leftOut = found.leftOut
        let jobs = found.items
        if jobs.count > 1, options.out != nil {
            throw UsageError(argument: "-o", JobUsage.outOfSeveralUploads)
        }
        return jobs
    }

    private func finished(_ job: Job) throws(UsageError) -> Job {
        var job = job.namedAfterFile
        if let out = options.out { try setDataOutput(out, of: &job) }
        if job.body == .standardInput, let spelling = options.spellings[.job(.uploadDigest)] {
            throw UsageError(argument: spelling, JobUsage.digestOfInput)
        }
        let resumption = job.options.terms.resumption ?? .off
        if job.body == .standardInput, resumption != .off, let spelling = options.spellings[.job(.resumable)] {
            throw UsageError(argument: spelling, JobUsage.resumedInput)
        }
        return job
    }

    /// Refuses a pattern for several URLs where one upload is sent.
    private func refusePattern(_ url: String) throws(UsageError) {
        guard options.expandsGlobs else { return }
        let count = try URLGlob.urls(in: url, label: "URL").count
        guard count > 1 else { return }
        throw UsageError(
            argument: "URL",
            JobUsage.patternOfRequest(count, "upload", kind: "upload"))
    }

    /// The time limit of a request to one server, in seconds.
    private static let questionTime = "20"

    /// A HEAD request to each server that shows how it can be reached.
    func questions(_ operands: [String]) throws(UsageError) -> [Job] {
        var jobs: [Job] = []
        for operand in operands {
            var job = Job(kind: .data, url: "")
            try URLText.setOperand(operand, of: &job)
            job.method = "HEAD"
            job.headers = options.jobDefaults.headers
            job.options = options.jobDefaults.options
            if !job.options.contains(.maximumTime) {
                job.options.append(JobOption.Value(.maximumTime, Self.questionTime))
            }
            job.usesHTTP2 = options.jobDefaults.usesHTTP2
            jobs.append(job)
        }
        return jobs
    }

    func setDataOutput(_ out: String, of job: inout Job) throws(UsageError) {
        if out == "-", options.output == .json {
            throw UsageError(argument: "-o", JobUsage.standardOutputIsJSON)
        }
        job.output = try JobDestination.output(named: out, label: "-o")
    }

    /// Refuses forms, JSON and conditions for other commands than request.
    private func refuseBodies() throws(UsageError) {
        for option in JobOption.allCases where option.isBody || option.subject == .answers {
            guard let spelling = options.spellings[.job(option)] else { continue }
            throw UsageError(argument: spelling, JobUsage.onlyForRequests)
        }
    }

    /// Refuses options without effect on one request; in the configuration file they are for other runs.
    func refuseDownloadOptions(of command: String) throws(UsageError) {
        if let spelling = options.spellings[.directory], options.spellings[.job(.thenDownload)] == nil {
            throw UsageError(
                argument: spelling,
                JobUsage.directoryOfRequest(command))
        }
        guard options.inputLists.isEmpty else {
            let spelling = options.spellings[.record("config")] ?? "-i"
            throw UsageError(argument: spelling, JobUsage.inputListOfRequest)
        }
        let hasDownloads = options.spellings[.job(.thenDownload)] != nil
        for option in CommandLineOption.allCases where option.commands.subtracting([.add, .serve]) == [.download] {
            if hasDownloads, option.isOfEachDownload { continue }
            guard let spelling = options.spellings[option] else { continue }
            let hint = ForeignOption.hint(for: spelling)
            throw UsageError(
                argument: spelling, hint.map { JobUsage.onlyForDownloads(hint: $0) } ?? JobUsage.onlyForDownloads)
        }
    }
}
