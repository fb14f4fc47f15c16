import Dashboard
import SessionSupport
import TransferService

/// A list of jobs or a Metalink, told apart by its bytes and checked to its end.
///
/// The command line and a watched folder read such files alike.
struct ListFile {
    enum Content {
        case jobs([Job])
        case list(InputList)
    }

    let content: Content
    /// What the user should know, such as options without a meaning here.
    let warnings: [SafeText]

    /// Throws the first problem, unless `refuse` collects the ones of a list's lines; `check` judges each job, and of
    /// ordinary ones only one.
    init(
        _ bytes: [UInt8], name: String, source: ListSource = .user, defaults: Job, directory: String? = nil,
        refuse: (UsageError) throws(UsageError) -> Void = { (error) throws(UsageError) in throw error },
        check: (Job) throws(UsageError) -> Void = { _ in }
    ) throws(UsageError) {
        let shown = SafeText(untrusted: name)
        if Metalink.isLike(bytes) {
            var unverified: [String] = []
            let found = try Metalink.jobs(in: bytes, name: name, defaults: defaults) { unverified.append($0) }
            let jobs = found.map { source.bounded($0) }
            for job in jobs { try check(job) }
            (content, warnings) = (.jobs(jobs), Self.warnings(unverified, of: shown))
            return
        }
        let list = try InputList(
            bytes, name: name, source: source, defaults: defaults, directory: directory, refuse: refuse, check: check)
        let ignored = SafeText(untrusted: list.ignored.joined(separator: ", "))
        (content, warnings) = (.list(list), list.ignored.isEmpty ? [] : [FileErrors.ignored(shown, ignored)])
    }

    /// Every job; of a list that was read with `refuse` the valid ones.
    var jobs: [Job] {
        switch content {
        case .jobs(let jobs): return jobs
        case .list(var list): return list.next(.max)
        }
    }

    /// Names files of a Metalink that are not verified although it has digests for them.
    private static func warnings(_ unverified: [String], of name: SafeText) -> [SafeText] {
        guard let first = unverified.first else { return [] }
        let file = SafeText(untrusted: first)
        return [
            unverified.count > 1
                ? FileErrors.unverified(name, file, more: unverified.count - 1) : FileErrors.unverified(name, file)
        ]
    }
}
