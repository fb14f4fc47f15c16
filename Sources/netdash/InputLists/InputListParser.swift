import Dashboard
import SessionSupport
import TransferService

/// Parses jobs from a list in aria2's input format, one line at a time.
///
/// A line that begins in the first column is a URL and begins a job; indented lines below it are its options, as
/// `key=value`; an empty line or the next URL ends it. Lines beginning with `#` are comments. A list that begins with a
/// header such as `url,out` has one job in each row below it. Because it takes single
/// lines, the same parser reads a file at once and a stream as it arrives.
struct InputListParser: Sendable {
    /// One job of the list, or its failure.
    enum Entry: Sendable, Equatable {
        case job(Job)
        /// An invalid job: its URL as far as it was readable, and the problem.
        case failure(url: String, UsageError)
    }

    private let name: String
    private let source: ListSource
    private let dialect: ListDialect
    private let defaults: Job
    /// The defaults for URLs without a scheme; their jobs share them too.
    private let guessing: Job
    /// The folder of files without their own.
    private let directory: String?
    /// The names of files without their own; nil for the server's.
    private let template: NameTemplate?
    private var jobCount = 0
    private var lineNumber = 0
    private var firstLine = 0
    /// The line with the job's name or predecessors; nil without them.
    private var precedenceLine: Int?
    /// The line of the job that ended last: the one with its name or predecessors, else its first.
    private(set) var endedLine = 0
    private var pending: Entry?
    /// The header of a list of comma-separated values; nil for any other list.
    private var table: ListTable?
    /// Whether each line is an object of JSON.
    private var hasObjects = false
    /// The job's user names and passwords from separate lines.
    private var halves: [JobOption: (name: String, password: String)] = [:]
    /// Whether the job has lines of its own: until its end it then has no settings of a farther place.
    private var hasLines = false
    /// Whether the defaults say who asks, unlike which a URL may say it too.
    private let hasIdentity: Bool
    /// The lowest limit that aria2's keys have set for the job's connections.
    private var mostConnections: Int?
    /// The names of aria2's keys without a meaning here.
    private(set) var ignored: Set<String> = []

    /// `name` is used in messages, as in `jobs.txt:12`.
    init(
        name: String, source: ListSource = .user, dialect: ListDialect = .netdash, defaults: Job,
        directory: String? = nil, template: NameTemplate? = nil
    ) {
        (self.dialect, self.template) = (dialect, template)
        self.name = name
        self.source = source
        self.defaults = defaults
        hasIdentity = defaults.settings.contains(where: \.identifies)
        var guessing = defaults
        guessing.guessesScheme = true
        self.guessing = guessing
        self.directory = directory
    }

    /// Reads one line without its line break; returns the job that it ended.
    mutating func consume(line: String) -> Entry? {
        if !isTable, URLText.isPlain(line) { return consume(ordinary: line) }
        lineNumber += 1
        let line = lineNumber == 1 ? ByteText.withoutByteOrderMark(line) : line
        let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
        let content = ByteText.trimmed(text[...])
        if content.isEmpty { return endJob() }
        if content.hasPrefix("#") { return nil }
        if let table { return begin(table.row(content), content, ListUsage.otherColumns(table.count)) }
        if hasObjects { return beginObject(content) }
        if text.hasPrefix(" ") || text.hasPrefix("\t") {
            return apply(ListKey.Setting(line: content), content)
        }
        return firstLine == 0 ? beginList(content) : beginNext(begin(content))
    }

    /// Whether each line has to be read as a row.
    var isTable: Bool { table != nil || hasObjects }

    /// Reads one line that is known to be an ordinary URL.
    mutating func consume(ordinary url: String) -> Entry? {
        lineNumber += 1
        return beginNext(.job(job(url, isCompleted: false)))
    }

    /// Skips a line that is known to be a valid job, without making it.
    mutating func skipOrdinary() -> Entry? {
        lineNumber += 1
        return endJob()
    }

    private mutating func job(_ url: String, isCompleted: Bool) -> Job {
        var job = isCompleted ? guessing : defaults
        job.url = url
        jobCount += 1
        if let template { job.output = template.output(for: url, number: jobCount) }
        return source.bounded(job)
    }

    /// The defaults of a job of this list.
    private func usual(of job: Job) -> Job {
        var usual = defaults
        usual.url = job.url
        usual = source.bounded(usual)
        usual.url = defaults.url
        return usual
    }

    /// Leaves out the defaults of a job that has just begun, so that only its own settings are in it.
    private mutating func beginOwn(_ job: inout Job) {
        guard !hasLines else { return }
        job.options.removeFirst(usual(of: job).options.count)
        job.headers = HeaderFields()
        hasLines = true
    }

    private mutating func beginNext(_ next: Entry) -> Entry? {
        let ended = endJob()
        if !halves.isEmpty { halves = [:] }
        mostConnections = nil
        (precedenceLine, hasLines) = (nil, false)
        firstLine = lineNumber
        pending = next
        return ended
    }

    mutating func endJob() -> Entry? {
        let ended = pending.take()
        endedLine = precedenceLine ?? firstLine
        guard case .job(var job) = ended else { return ended }
        if !hasLines, hasIdentity, job.settingOfURL != nil { beginOwn(&job) }
        if hasLines { job = job.over(usual(of: job)) }
        if job.precedence != nil { job.precedence?.list = Precedence.ofThisRun }
        do throws(UsageError) {
            try ListKey.check(job, label: "\(name):\(firstLine)")
            guard job.kind != .download else { return .job(job) }
            // The session only knows the folder of downloads.
            if case .name = job.output, job.directory == nil { job.directory = directory }
            return .job(job.namedAfterFile)
        } catch {
            return .failure(url: job.url, error)
        }
    }

    /// Every job of a file, or its first problem.
    static func jobs(
        in bytes: [UInt8], name: String, defaults: Job, directory: String? = nil
    ) -> Result<[Job], UsageError> {
        do throws(UsageError) {
            var list = try InputList(bytes, name: name, defaults: defaults, directory: directory)
            return .success(list.next(.max))
        } catch {
            return .failure(error)
        }
    }

    // MARK: - Lines

    private var label: String { "\(name):\(lineNumber)" }

    private mutating func begin(_ content: String) -> Entry {
        // The first URL is the file's own, the others are mirrors.
        let urls = content.split(separator: "\t").map { ByteText.trimmed($0) }.filter { !$0.isEmpty }
        let content = urls.first ?? content
        do throws(UsageError) {
            guard !URLText.isWord(content) else { throw UsageError(argument: label, URLUsage.word(content)) }
            let complete = try URLText.checked(content, label: label)
            var job = job(complete, isCompleted: complete.utf8.count != content.utf8.count)
            for url in urls.dropFirst() {
                job.options.append(JobOption.Value(.mirror, try URLText.checked(url, label: label)))
            }
            return .job(job)
        } catch {
            return .failure(url: content, error)
        }
    }

    /// Reads the first line that is neither empty nor a comment.
    private mutating func beginList(_ content: String) -> Entry? {
        if let table = ListTable(header: content) {
            (self.table, firstLine) = (table, lineNumber)
            guard let unknown = table.unknown else { return nil }
            return .failure(url: content, UsageError(argument: label, ListKey.unknown(unknown)))
        }
        if content.hasPrefix("{"), ListObject.row(content) != nil || ListObject.problem(content) != nil {
            hasObjects = true
            return beginObject(content)
        }
        guard ListTable.isForeign(content) else { return beginNext(begin(content)) }
        let shown = Redaction.url(String(content.prefix(60)))
        // A document of this format was read as a whole, unless it arrives.
        let format = ListFormat.of(beginning: ByteText.lowercased(content[...]))
        let program = CurlCommandReader.otherProgram(content).map { ListUsage.otherProgram($0) }
        let sentence = program ?? format.map { ListUsage.needsFile($0.name) } ?? ListUsage.unknownFormat(shown)
        return beginNext(.failure(url: shown, UsageError(argument: label, sentence)))
    }

    private mutating func beginObject(_ content: String) -> Entry? {
        let row = ListObject.row(content)
        return begin(row, content, row == nil ? ListObject.problem(content) ?? ListUsage.noObject : "")
    }

    /// Begins the job of a row; one that cannot be read fails with a sentence.
    private mutating func begin(
        _ row: (url: String, settings: [ListKey.Setting])?, _ content: String, _ problem: String
    ) -> Entry? {
        guard let (url, settings) = row else {
            return beginNext(.failure(url: Redaction.url(content), UsageError(argument: label, problem)))
        }
        let ended = beginNext(begin(url))
        for setting in settings { _ = apply(setting, content) }
        return ended
    }

    private mutating func apply(_ setting: ListKey.Setting, to job: inout Job) throws(UsageError) {
        var setting = setting
        let key = setting.key
        if dialect == .aria2, AriaArgument.ofPaths.contains(key), let path = setting.value {
            setting = ListKey.Setting(key, path.replacing("${HOME}", with: UserFolder.home()))
        }
        let value = setting.value ?? ""
        let isOwn = ListKey.named(key) != nil
        let foreign = isOwn ? nil : AriaKey(key, value: value)
        switch dialect == .aria2 ? AriaKey(inAria: key, value: value, of: job.url) ?? foreign : foreign {
        // aria2c warns of a key that it does not know, and goes on.
        case nil where dialect == .aria2 && !isOwn && setting.value != nil: ignored.insert(key)
        case nil: try ListKey.apply(setting, to: &job, from: source, label: label)
        case .settings(let same):
            for setting in same { try ListKey.apply(setting, to: &job, from: source, label: label) }
        case .ifExists(let rule):
            let joined = job.ifExists.combined(with: rule)
            try set("if-exists", joined.rawValue, of: &job)
        case .half(let half, let option):
            var pair = halves[option] ?? ("", "")
            switch half {
            case .name: pair.name = value
            case .password: pair.password = value
            }
            halves[option] = pair
            // A password waits for its user name, which may follow.
            guard !pair.name.isEmpty else { return }
            try set(option.name, "\(pair.name):\(pair.password)", of: &job)
        case .connections(let count):
            let count = min(count, mostConnections ?? .max)
            mostConnections = count
            try set(JobOption.connections.name, String(count), of: &job)
        case .gid(let gid): job.aria = AriaTerms(gid: gid)
        case .ignored: ignored.insert(key)
        case .refused(let sentence): throw UsageError(argument: "\(label): \(key)", sentence)
        case .usual: break
        }
    }

    private func set(_ key: String, _ value: String, of job: inout Job) throws(UsageError) {
        try ListKey.apply(ListKey.Setting(key, value), to: &job, from: source, label: label)
    }

    /// Applies a setting, whose line is told where no job has begun.
    private mutating func apply(_ setting: ListKey.Setting, _ content: String) -> Entry? {
        switch pending {
        case .failure: return nil
        case nil:
            let error = UsageError(
                argument: label, ListUsage.indented(Redaction.url(content)))
            return .failure(url: content, error)
        case .job(var job):
            do throws(UsageError) {
                let earlier = job.precedence
                beginOwn(&job)
                try apply(setting, to: &job)
                if job.precedence != earlier { precedenceLine = lineNumber }
                pending = .job(job)
            } catch {
                pending = .failure(url: job.url, error)
            }
            return nil
        }
    }
}
