import Dashboard
import SessionSupport
import TransferService

/// A list that is read as a whole document, with everything that its format needs.
struct ListDocument {
    let bytes: [UInt8]
    /// Its name in messages.
    let name: String
    var source = ListSource.user
    var dialect = ListDialect.netdash
    /// The URL that links are relative to; nil for a file.
    var address: String?
    let defaults: Job
    /// The names of files without their own.
    var template: NameTemplate?
    var choice = LinkChoice()

    /// The beginning in lower case, by which formats are told apart.
    var beginning: String {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return ByteText.lowercased(String(decoding: start.prefix(4_096), as: UTF8.self)[...])
    }

    /// The text; throws where it is not UTF-8.
    func text() throws(UsageError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(argument: name, MarkupUsage.notUTF8)
        }
        return ByteText.withoutByteOrderMark(text).replacing("\r\n", with: "\n")
    }

    /// A download of a URL that the document names, without credentials for other servers than the list's.
    func download(_ url: String, number: Int) -> Job {
        var job = defaults
        (job.kind, job.url) = (.download, url)
        if let template { job.output = template.output(for: url, number: number) }
        return source.bounded(job)
    }
}

/// A format of documents that are no lists of lines; a new one is one record.
struct ListFormat: Sendable {
    /// The jobs, and sentences about what was left out.
    struct Contents {
        var jobs: [Job]
        var remarks: [SafeText] = []
    }

    /// The list's name in messages.
    let name: String
    /// Whether a document with such a beginning is of the format.
    let isLike: @Sendable (_ beginning: String) -> Bool
    let read: @Sendable (ListDocument) throws(UsageError) -> Contents

    static let allCases: [ListFormat] = [
        ListFormat(name: ListUsage.page, isLike: PageLinks.isLike) { (page) throws(UsageError) in
            try PageLinks.contents(of: page)
        },
        ListFormat(name: ListUsage.metalink, isLike: { $0.first { !$0.isWhitespace } == "<" }) {
            (document) throws(UsageError) in
            var unverified: [String] = []
            let jobs = try Metalink.jobs(in: document.bytes, name: document.name, defaults: document.defaults) {
                unverified.append($0)
            }
            return Contents(
                jobs: jobs.map { document.source.bounded($0) },
                remarks: FileErrors.unverified(of: document.name, unverified).map { [$0] } ?? [])
        },
        ListFormat(name: ListUsage.har, isLike: HARFile.isLike) { (file) throws(UsageError) in
            try HARFile.contents(of: file)
        },
        ListFormat(name: ListUsage.commands, isLike: CurlList.beginsWithCommand) { (file) throws(UsageError) in
            try Contents(jobs: CurlList.jobs(ofCommands: file))
        },
        curlConfiguration,
    ]

    static let curlConfiguration = ListFormat(
        name: ListUsage.configuration, isLike: CurlList.beginsWithSetting
    ) { (file) throws(UsageError) in try CurlList.contents(ofConfiguration: file) }

    /// The format of a document; nil for a list of lines.
    static func of(_ document: ListDocument) -> ListFormat? { of(beginning: document.beginning) }

    static func of(beginning: String) -> ListFormat? { allCases.first { $0.isLike(beginning) } }
}
