import SessionSupport

/// A requested transfer, before it has a row in the table.
///
/// The command line, input files and the add form produce jobs; the service turns a job into a task. The jobs of a list
/// differ in their URLs and share the rest.
package struct Job: Sendable, Equatable {
    package typealias Kind = TransferKind
    /// A digest that the complete file must have.
    package typealias Checksum = TransferValues.Checksum

    /// The source of the request's body.
    package enum Body: Sendable, Equatable, Codable {
        case none
        case text(String)
        case file(path: String)
        /// A file sent without its line ends, as `curl -d @FILE` sends it.
        case formFile(path: String)
        case standardInput

        /// Replaces a body that was not saved because it contained secrets.
        package static let masked = Body.text(Redaction.mask)

        /// Whether it is a text with a member whose name marks a secret.
        package var holdsSecret: Bool {
            if case .text(let text) = self { Redaction.hidesBody(Array(text.utf8)) } else { false }
        }
    }

    /// Where the response is written.
    package enum Output: Sendable, Equatable, Codable {
        /// A download's folder and, when given, its name; a data body stays in memory.
        case automatic
        case name(String)
        case standardOutput

        /// The file's name or path; nil without one.
        package var name: String? {
            if case .name(let name) = self { name } else { nil }
        }

        /// Whether it ends in a slash and so names only a folder, in which the server names the file.
        package var isFolder: Bool {
            if case .name(let name) = self { name.hasSuffix("/") } else { false }
        }
    }

    package var kind: Kind
    /// The URL as the user wrote it, with a scheme.
    package var url: String
    /// Shared by most jobs of a list.
    private var terms = JobTerms.standard

    package init(
        kind: Kind, url: String, method: String? = nil, headers: HeaderFields = HeaderFields(), body: Body = .none,
        directory: String? = nil
    ) {
        self.kind = kind
        self.url = url
        guard method != nil || !headers.isEmpty || body != .none || directory != nil else { return }
        terms = terms.changed { ($0.method, $0.headers, $0.body, $0.directory) = (method, headers, body, directory) }
    }

    package func differsOnlyInURL(from other: Job) -> Bool { kind == other.kind && terms == other.terms }

    /// Changes this job's terms, not the ones of other jobs that shared them.
    private mutating func change(_ body: (inout JobTerms.Values) -> Void) { terms = terms.changed(body) }
}

extension Job: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, url, terms
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(Kind.self, forKey: .kind)
        url = try container.decode(String.self, forKey: .url)
        if let values = try container.decodeIfPresent(JobTerms.Values.self, forKey: .terms) { terms = JobTerms(values) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(url, forKey: .url)
        if terms != .standard { try container.encode(terms.values, forKey: .terms) }
    }
}

/// A job's terms by name, one property each: a subscript over key paths costs a list of files 5,000 instructions per
/// file, because the calling module cannot inline it.
extension Job {
    /// The request's method; nil for the default in ``sentMethod``.
    package var method: String? {
        get { terms.values.method }
        set { change { $0.method = newValue } }
    }
    /// The fields exactly as they will be sent.
    package var headers: HeaderFields {
        get { terms.values.headers }
        set { change { $0.headers = newValue } }
    }
    package var body: Job.Body {
        get { terms.values.body }
        set { change { $0.body = newValue } }
    }
    /// The folder of a download; nil for the command line's.
    package var directory: String? {
        get { terms.values.directory }
        set { change { $0.directory = newValue } }
    }
    package var output: Job.Output {
        get { terms.values.output }
        set { change { $0.output = newValue } }
    }
    package var checksum: Job.Checksum? {
        get { terms.values.checksum }
        set { change { $0.checksum = newValue } }
    }
    package var ifExists: Job.IfExists {
        get { terms.values.ifExists }
        set { change { $0.ifExists = newValue } }
    }
    /// Whether a matching partial file of an earlier run is adopted.
    package var continues: Bool {
        get { terms.values.continues }
        set { change { $0.continues = newValue } }
    }
    package var startsPaused: Bool {
        get { terms.values.startsPaused }
        set { change { $0.startsPaused = newValue } }
    }
    /// Whether the URL was given without a scheme, so that https is a guess: if the server speaks plain http, that is
    /// tried.
    package var guessesScheme: Bool {
        get { terms.values.guessesScheme }
        set { change { $0.guessesScheme = newValue } }
    }
    /// Whether it contains credentials: in the URL, a header or an option.
    package var saysWhoAsks: Bool {
        Redaction.url(url, userInfo: .removed) != url || headers.contains { Redaction.hidesField($0.name) }
            || options.map(\.option).contains { $0.isSecret || $0.reach == .server || $0.name.hasPrefix("netrc") }
    }
    /// The route to the server, credentials, and other rare settings.
    package var options: [JobOption.Value] {
        get { terms.values.options }
        set { change { $0.options = newValue } }
    }
    /// The user's own tag, which every event of the job contains; nil for none.
    package var tag: String? {
        get { terms.values.tag }
        set { change { $0.tag = newValue } }
    }
    package var usesHTTP2: Bool {
        get { terms.values.usesHTTP2 }
        set { change { $0.usesHTTP2 = newValue } }
    }
    package var priority: TaskPriority {
        get { terms.values.priority }
        set { change { $0.priority = newValue } }
    }
    /// When it may run; nil for always.
    package var hours: TransferHours? {
        get { terms.values.hours }
        set { change { $0.hours = newValue == TransferHours() ? nil : newValue } }
    }
    /// Its name for other tasks, and the tasks that it waits for; nil for neither.
    package var precedence: Precedence? {
        get { terms.values.precedence }
        set { change { $0.precedence = newValue } }
    }
    /// What a client of aria2's interface has given it and no other setting says; nil for none.
    package var aria: AriaTerms? {
        get { terms.values.aria }
        set { change { $0.aria = newValue } }
    }
    /// Whether status and fields are printed before the body, as curl's `-i` does.
    package var printsHead: Bool {
        get { terms.values.printsHead }
        set { change { $0.printsHead = newValue } }
    }
    /// The task's own rate limits; nil where the run's apply.
    package var rates: TaskRates? {
        get { terms.values.rates }
        set { change { $0.rates = newValue } }
    }
}

extension Job {
    /// Whether a body follows the header fields.
    package var hasBody: Bool { body != .none || options.contains { $0.option.isBody } }

    /// The kinds of bodies among the options, which exclude each other, in their order.
    package var bodyOptions: [JobOption] { options.bodyOptions }

    /// The job of an upload whose URL ends in a slash, with the file's name appended; any other job unchanged.
    ///
    /// With tus the server chooses the name.
    package var namedAfterFile: Job {
        guard kind == .upload, case .file(let path) = body, options.terms.resumption != .tus else { return self }
        let end = URLScan(url).path.upperBound
        guard url[..<end].hasSuffix("/") else { return self }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var job = self
        job.url = String(url[..<end]) + FormText.encoded(name.utf8) + String(url[end...])
        return job
    }

    /// The requested method, else the default one.
    package var sentMethod: String { method ?? kind.usualMethod(hasBody: hasBody) }
}

extension Job.Kind {
    /// The method of a job without one; a data request with a body is a POST, as with `curl -d`.
    package func usualMethod(hasBody: Bool) -> String {
        switch self {
        case .upload: "PUT"
        case .download: "GET"
        case .data: hasBody ? "POST" : "GET"
        }
    }
}

extension Job {
    /// Keeps the method after redirects, as curl's `-X` does with `-L`; an upload's body is dropped on 303 alone.
    package mutating func keepMethod() {
        let ofUpload: [JobOption] = kind == .upload ? [.repeatsPOST301, .repeatsPOST302] : []
        for option in [.keepsMethod] + ofUpload { options.set(JobOption.Value(option)) }
    }
}
