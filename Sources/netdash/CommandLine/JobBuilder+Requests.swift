import Dashboard
import SessionSupport

/// The requests of a command line.
extension JobBuilder {
    /// The `.http` file that the operands name; nil where they name a URL.
    func requestFile(_ operands: [String]) throws(UsageError) -> RequestFile? {
        var terms = requestDefaults
        if let out = options.out { try setDataOutput(out, of: &terms) }
        guard let operand = operands.first(where: { RequestFile($0, terms: terms) != nil }) else { return nil }
        guard operands.count == 1, options.method == nil, options.body == nil, terms.bodyOptions.isEmpty else {
            throw UsageError(argument: operand, HTTPFileUsage.alone)
        }
        try refuseDownloadOptions(of: "request")
        try checkAnswers(terms)
        return RequestFile(operand, terms: terms)
    }

    /// A request with the command line's options; its downloads have them too.
    private var requestDefaults: Job {
        var job = options.jobDefaults
        (job.kind, job.checksum) = (.data, nil)
        return job
    }

    /// Refuses options about the response that contradict the job.
    private func checkAnswers(_ job: Job) throws(UsageError) {
        guard let problem = job.answerProblem else { return }
        let spelling = options.spellings[.job(problem.option)] ?? CommandLineOption.job(problem.option).spelling
        throw UsageError(argument: spelling, problem.sentence)
    }

    /// The requests of an operand, which a pattern makes several.
    func requests(_ operands: [String]) throws(UsageError) -> [Job] {
        try refuseDownloadOptions(of: "request")
        for option in [JobOption.resumable, .uploadDigest, .partSize] {
            guard let spelling = options.spellings[.job(option)] else { continue }
            throw UsageError(argument: spelling, JobUsage.onlyForUploads)
        }
        var rest = operands
        var job = requestDefaults
        if rest.count > 1, URLText.isWord(rest[0]) {
            job.method = try ValueParser.method(rest.removeFirst(), label: "METHOD")
        }
        guard let url = rest.first, operands.count > 1 || !CommandLineOption.commonMethods.contains(url) else {
            throw UsageError(argument: "request", JobUsage.requestNeedsURL)
        }
        try refuseCookie()
        let items = try RequestItems(rest.dropFirst())
        if let method = options.method {
            guard job.method == nil || job.method == method else {
                throw UsageError(argument: "-X", JobUsage.twoMethods(method, job.method ?? ""))
            }
            job.method = method
            if job.options.contains(.followsRedirects) { job.keepMethod() }
        }
        job = job.without(options.usual.settings) { far in
            items.headers.contains { RequestSetting.field($0).displaces(far) }
        }
        for field in items.headers { job.headers.append(field) }
        job.body = options.body ?? items.body.map { .text($0) } ?? .none
        if options.body != nil || !job.bodyOptions.isEmpty, items.body != nil {
            throw UsageError(argument: "request", JobUsage.bodyAndItems)
        }
        let bodies = (job.body == .none ? [] : [CommandLineOption.body]) + job.bodyOptions.map { .job($0) }
        if bodies.count > 1 {
            let first = options.spellings[bodies[0]] ?? bodies[0].spelling
            throw UsageError(argument: first, CommandLineUsage.excludes(bodies[1].spelling))
        }
        let template = try nameTemplate()
        if let out = options.out, template == nil { try setDataOutput(out, of: &job) }
        try checkAnswers(job)
        let urls = try expansions(of: url)
        if urls.count > 1 { try refuseOneOf(urls.count, job) }
        let jobs = try urls.enumerated().map { (index, expansion) throws(UsageError) in
            var job = job
            try URLText.setOperand(expansion.url, of: &job)
            job.url = items.completing(job.url)
            if let template { job.output = template.output(for: job.url, expansion.values, number: index + 1) }
            return job
        }
        if template != nil, Set(jobs.map { $0.output.name }).count < jobs.count {
            throw UsageError(argument: "-o", RequestUsage.oneFile(jobs.count))
        }
        return jobs
    }

    /// Refuses what only one of several requests can have: a named file, and standard input.
    private func refuseOneOf(_ count: Int, _ job: Job) throws(UsageError) {
        if case .name = job.output { throw UsageError(argument: "-o", RequestUsage.oneFile(count)) }
        guard job.body == .standardInput else { return }
        throw UsageError(argument: options.spellings[.body] ?? "-b", RequestUsage.oneInput(count))
    }

    /// Refuses `-b` with a probable cookie, which is curl's meaning of the letter, and an empty one.
    private func refuseCookie() throws(UsageError) {
        guard options.spellings[.body] == "-b", options.method == nil, case .text(let text)? = options.body else {
            return
        }
        guard !text.isEmpty else { throw UsageError(argument: "-b", JobUsage.emptyCookieAsBody) }
        guard let equals = text.firstIndex(of: "="), !text.contains(where: { "&{[\"".contains($0) })
        else { return }
        let name = text[..<equals].lowercased()
        guard text.contains("; ") || ["sid", "sess", "token", "auth", "csrf"].contains(where: { name.contains($0) })
        else { return }
        // The value may be a secret.
        throw UsageError(argument: "-b", JobUsage.cookieAsBody)
    }
}
