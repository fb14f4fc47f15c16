/// The settings of a job beside its URL, in one reference: lists of thousands are copied, and their jobs share
/// their terms.
final class JobTerms: Sendable, Equatable {
    /// The settings themselves.
    struct Values: Sendable, Equatable {
        /// The request's method; nil for the kind's own, see ``Job/sentMethod``.
        var method: String?
        var headers = HeaderFields()
        var body = Job.Body.none
        /// The folder of a download; nil for the command line's.
        var directory: String?
        var output = Job.Output.automatic
        var checksum: Job.Checksum?
        var ifExists = Job.IfExists.rename
        /// Whether a matching partial file of an earlier run is adopted.
        var continues = true
        var startsPaused = false
        var usesHTTP2 = false
        var guessesScheme = false
        var tag: String?
        var options: [JobOption.Value] = []
        var rates: TaskRates?
        var priority = TaskPriority.normal
        /// The hours in which the task may run; nil for all.
        var hours: TransferHours?
        /// The task's name and predecessors; nil for neither.
        var precedence: Precedence?
        /// What a client of aria2's interface has given; nil for none.
        var aria: AriaTerms?
        /// Whether status and fields are printed before the body.
        var printsHead = false
    }

    /// The terms of a job without special settings.
    static let standard = JobTerms(Values())

    let values: Values

    init(_ values: Values) {
        self.values = values
    }

    func changed(_ body: (inout Values) -> Void) -> JobTerms {
        var values = values
        body(&values)
        return JobTerms(values)
    }

    static func == (left: JobTerms, right: JobTerms) -> Bool { left === right || left.values == right.values }
}

/// Encodes only the settings that differ from the standard: a saved session has terms for each of its rows.
extension JobTerms.Values: Codable {
    private enum CodingKeys: String, CodingKey {
        case method, headers, body, directory, output, checksum, ifExists, continues, startsPaused, usesHTTP2, tag
        case guessesScheme, options, rates, priority, hours, precedence, aria, printsHead
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            value = try container.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.headers, &headers)
        try read(.body, &body)
        try read(.output, &output)
        try read(.ifExists, &ifExists)
        try read(.continues, &continues)
        try read(.startsPaused, &startsPaused)
        try read(.usesHTTP2, &usesHTTP2)
        try read(.guessesScheme, &guessesScheme)
        try read(.options, &options)
        try read(.priority, &priority)
        try read(.printsHead, &printsHead)
        method = try container.decodeIfPresent(String.self, forKey: .method)
        directory = try container.decodeIfPresent(String.self, forKey: .directory)
        checksum = try container.decodeIfPresent(Job.Checksum.self, forKey: .checksum)
        tag = try container.decodeIfPresent(String.self, forKey: .tag)
        hours = try container.decodeIfPresent(TransferHours.self, forKey: .hours)
        precedence = try container.decodeIfPresent(Precedence.self, forKey: .precedence)
        rates = try container.decodeIfPresent(TaskRates.self, forKey: .rates)
        aria = try container.decodeIfPresent(AriaTerms.self, forKey: .aria)
    }

    func encode(to encoder: any Encoder) throws {
        let usual = Self()
        var container = encoder.container(keyedBy: CodingKeys.self)
        func write<Value: Encodable & Equatable>(_ key: CodingKeys, _ value: Value, unless usual: Value) throws {
            if value != usual { try container.encode(value, forKey: key) }
        }
        try write(.method, method, unless: usual.method)
        try write(.headers, headers, unless: usual.headers)
        try write(.body, body, unless: usual.body)
        try write(.directory, directory, unless: usual.directory)
        try write(.output, output, unless: usual.output)
        try write(.checksum, checksum, unless: usual.checksum)
        try write(.ifExists, ifExists, unless: usual.ifExists)
        try write(.continues, continues, unless: usual.continues)
        try write(.startsPaused, startsPaused, unless: usual.startsPaused)
        try write(.usesHTTP2, usesHTTP2, unless: usual.usesHTTP2)
        try write(.guessesScheme, guessesScheme, unless: usual.guessesScheme)
        try write(.tag, tag, unless: usual.tag)
        try write(.options, options, unless: usual.options)
        try write(.rates, rates, unless: usual.rates)
        try write(.priority, priority, unless: usual.priority)
        try write(.hours, hours, unless: usual.hours)
        try write(.precedence, precedence, unless: usual.precedence)
        try write(.aria, aria, unless: usual.aria)
        try write(.printsHead, printsHead, unless: usual.printsHead)
    }
}
