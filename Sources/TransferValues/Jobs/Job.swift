import SessionSupport

/// A transfer that was asked for, before it has a row in the table.
///
/// The command line, input files and the add form produce jobs; the session bridge turns a job into a task.
/// The jobs of a list differ in their URLs and share the rest.
package struct Job: Sendable, Equatable {
    package typealias Kind = TransferKind
    /// The rule for a destination whose name is taken.
    package typealias IfExists = DownloadTarget.Collision
    /// A digest the whole file must have.
    package typealias Checksum = TransferValues.Checksum

    /// The source of the request's body.
    package enum Body: Sendable, Equatable, Codable {
        case none
        case text(String)
        case file(path: String)
        /// A file whose line ends are left out, as `curl -d @FILE` sends it.
        case formFile(path: String)
        case standardInput

        /// What is left of a body that was not saved because it had secrets.
        package static let masked = Body.text(Redaction.mask)

        /// Whether it is a text with a member that is a secret by its name.
        package var holdsSecret: Bool {
            if case .text(let text) = self { Redaction.hidesBody(Array(text.utf8)) } else { false }
        }
    }

    /// The place where the response is written.
    package enum Output: Sendable, Equatable, Codable {
        /// A download's folder and, when given, its name; a data body stays in memory.
        case automatic
        case name(String)
        case standardOutput

        /// Whether it names a folder alone, by a slash at its end: the server names the file in it.
        package var isFolder: Bool {
            if case .name(let name) = self { name.hasSuffix("/") } else { false }
        }
    }

    package var kind: Kind
    /// The URL as the user wrote it, with a scheme.
    package var url: String
    /// The terms, which most jobs of a list have in common.
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

    /// Whether the two jobs have everything but their URLs in common.
    package func differsOnlyInURL(from other: Job) -> Bool { kind == other.kind && terms == other.terms }

    /// Leaves the other jobs that share the terms theirs.
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

/// The terms of a job by their names, one by one: a subscript over key paths takes a list of files 5,000 instructions a
/// file, because the module that asks cannot look through it.
extension Job {
    /// Nil stands for the method that ``sentMethod`` says.
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
    /// Folder of a download; nil stands for the one of the command line.
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
    /// Whether a matching part of an earlier run is adopted.
    package var continues: Bool {
        get { terms.values.continues }
        set { change { $0.continues = newValue } }
    }
    package var startsPaused: Bool {
        get { terms.values.startsPaused }
        set { change { $0.startsPaused = newValue } }
    }
    /// Whether the URL was given without a scheme, so that its https is a guess: where the server speaks plain http, that is
    /// tried.
    package var guessesScheme: Bool {
        get { terms.values.guessesScheme }
        set { change { $0.guessesScheme = newValue } }
    }
    /// Whether anything in it proves who asks: a name in the URL, a header, an option.
    package var saysWhoAsks: Bool {
        Redaction.url(url, userInfo: .removed) != url || headers.contains { Redaction.hidesField($0.name) }
            || options.map(\.option).contains { $0.isSecret || $0.reach == .server || $0.name.hasPrefix("netrc") }
    }
    /// The way to the server, who asks it, and what else only some jobs say.
    package var options: [JobOption.Value] {
        get { terms.values.options }
        set { change { $0.options = newValue } }
    }
    /// The user's own mark, which every event of the job has; nil for none.
    package var tag: String? {
        get { terms.values.tag }
        set { change { $0.tag = newValue } }
    }
    package var usesHTTP2: Bool {
        get { terms.values.usesHTTP2 }
        set { change { $0.usesHTTP2 = newValue } }
    }
    /// Limits of its own; nil where the run's hold.
    package var rates: TaskRates? {
        get { terms.values.rates }
        set { change { $0.rates = newValue } }
    }
}

extension Job {
    /// Whether something is sent behind the fields.
    package var hasBody: Bool { body != .none || options.contains { $0.option.isBody } }

    /// The kinds of bodies among the options, which exclude each other, in the order in which they stand there.
    package var bodyOptions: [JobOption] { options.bodyOptions }

    /// The job of an upload whose URL ends in a slash, with the file's name behind it; any other job as it is.
    ///
    /// With tus the server names what it keeps.
    package var namedAfterFile: Job {
        guard kind == .upload, case .file(let path) = body, options.terms.resumption != .tus else { return self }
        let end = URLScan(url).path.upperBound
        guard url[..<end].hasSuffix("/") else { return self }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var job = self
        job.url = String(url[..<end]) + FormText.encoded(name.utf8) + String(url[end...])
        return job
    }

    /// The method that is sent: the one that was asked for, else the usual one.
    package var sentMethod: String { method ?? kind.usualMethod(hasBody: hasBody) }
}

extension Job.Kind {
    /// The method of a job that names none; a data request with a body is a POST, as with `curl -d`.
    package func usualMethod(hasBody: Bool) -> String {
        switch self {
        case .upload: "PUT"
        case .download: "GET"
        case .data: hasBody ? "POST" : "GET"
        }
    }
}
