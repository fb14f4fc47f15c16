import Dashboard
import SessionSupport
import TransferService

/// A list of jobs in any format, told apart by its beginning and checked to its end.
///
/// The command line and a watched folder read such files alike.
struct ListFile {
    enum Content {
        case jobs([Job])
        case list(InputList)
    }

    let content: Content
    /// Warnings for the user, such as options without a meaning here.
    let warnings: [SafeText]

    /// Throws the first problem, unless `refuse` collects the ones of a list's lines.
    ///
    /// `check` judges each job, and `precedence` gets the names of a list's jobs: its ``PrecedenceCheck/finish()``
    /// belongs behind the last file. Without a `format` the beginning tells it.
    init(
        _ document: ListDocument, as format: ListFormat? = nil, directory: String? = nil,
        precedence: inout PrecedenceCheck,
        refuse: (UsageError) throws(UsageError) -> Void = { (error) throws(UsageError) in throw error },
        check: (Job) throws(UsageError) -> Void = { _ in }
    ) throws(UsageError) {
        if let format = format ?? ListFormat.of(document) {
            let found = try format.read(document)
            let jobs = found.jobs.map { $0.preferringURL(to: document.defaults) }
            for job in jobs { try check(job) }
            (content, warnings) = (.jobs(jobs), found.remarks)
            return
        }
        let name = document.name
        let list = try InputList(
            document.bytes, name: name, source: document.source, dialect: document.dialect, defaults: document.defaults,
            directory: directory, template: document.template, refuse: refuse
        ) { (job, line) throws(UsageError) in
            try check(job)
            guard job.precedence != nil else { return }
            do throws(PrecedenceCheck.Problem) {
                try precedence.add(job.precedence, label: "\(name):\(line)")
            } catch {
                try refuse(UsageError(argument: error.label, error.sentence))
            }
        }
        let ignored = SafeText(untrusted: list.ignored.joined(separator: ", "))
        (content, warnings) = (
            .list(list), list.ignored.isEmpty ? [] : [FileErrors.ignored(SafeText(untrusted: name), ignored)]
        )
    }

    /// Every job; of a list that was read with `refuse` the valid ones.
    var jobs: [Job] {
        switch content {
        case .jobs(let jobs): return jobs
        case .list(var list): return list.next(.max)
        }
    }
}
