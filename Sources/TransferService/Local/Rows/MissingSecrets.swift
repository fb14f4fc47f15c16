import SessionSupport

extension TransferRow {
    /// The failure of a restored row whose secrets are in no file.
    var secretsNotSaved: TransferFailure { .secretsNotSaved(of: job, fields: hiddenHeaders) }
}

extension LocalService.State {
    /// The job that a row has, or is about to have, for its user: a mask stands for each header field that was not
    /// saved.
    func jobToShow(of id: UInt64) -> Job? {
        guard successions[id]?.change == nil, let row = rows[id] else { return jobToBe(of: id) }
        var job = row.job
        for name in row.hiddenHeaders { job.headers.append(name: name, value: Redaction.mask) }
        return job
    }
}

extension TransferFailure {
    /// The failure of a restored transfer without its secrets, each of which it names.
    ///
    /// - Parameter fields: the names of the header fields among them.
    static func secretsNotSaved(of job: Job, fields: [String] = []) -> TransferFailure {
        var missing = job.options.filter(\.isHidden).map { (cause: cause(of: $0.option), name: "--" + $0.option.name) }
        if job.body == .masked { missing.insert((.bodyNotSaved, "body"), at: 0) }
        for name in fields {
            missing.append((ByteText.isSame(name, "Cookie") ? .cookieNotSaved : .headerNotSaved, name))
        }
        let lacksLink = job.url.contains(Redaction.mask)
        guard !missing.isEmpty else { return unnamed(job, lacksLink: lacksLink) }
        if lacksLink { missing.append((.linkNotSaved, "URL")) }
        let causes = Set(missing.map(\.cause))
        let names = missing.map(\.name).joined(separator: ", ")
        return secretsNotSaved(
            causes.count == 1 ? missing[0].cause : .secretsNotSaved, ServiceErrors.secretsNotSaved(names))
    }

    private static func unnamed(_ job: Job, lacksLink: Bool) -> TransferFailure {
        switch (lacksLink, job.tag) {
        case (true, let tag?): secretsNotSaved(.linkNotSaved, ServiceErrors.linkNotSaved(tag: tag))
        case (true, nil): secretsNotSaved(.linkNotSaved, ServiceErrors.linkNotSaved)
        case (false, let tag?): secretsNotSaved(.secretsNotSaved, ServiceErrors.secretNotSaved(tag: tag))
        case (false, nil): secretsNotSaved(.secretsNotSaved, ServiceErrors.secretNotSaved)
        }
    }

    private static func secretsNotSaved(_ cause: Cause, _ message: String) -> TransferFailure {
        TransferFailure(kind: cause.rawValue, category: .ordinary, message: message)
    }

    private static func cause(of option: JobOption) -> Cause {
        switch option {
        case .user: .passwordNotSaved
        case .cookie: .cookieNotSaved
        case .bearer: .tokenNotSaved
        case .secretHeader: .headerNotSaved
        case .proxy, .httpProxy, .httpsProxy, .proxyUser: .proxyPasswordNotSaved
        case .keyPassword: .keyPasswordNotSaved
        default: option.isBody ? .bodyNotSaved : .secretsNotSaved
        }
    }
}
