/// What a job asks for beside its URL, behind one reference: a list of thousands is copied from hand to hand, and its jobs
/// have the same terms.
final class JobTerms: Sendable, Equatable {
    /// The terms themselves.
    struct Values: Sendable, Equatable {
        /// Nil stands for the kind's own method: GET, PUT or GET.
        var method: String? = nil
        var headers: [Job.Header] = []
        var body: Job.Body = .none
        /// Folder of a download; nil stands for the one of the command line.
        var directory: String? = nil
        var output: Job.Output = .automatic
        var checksum: Job.Checksum? = nil
        var ifExists: Job.IfExists = .rename
        /// Whether a matching part of an earlier run is adopted.
        var continues: Bool = true
        var startsPaused: Bool = false
        var usesHTTP2: Bool = false
    }

    /// Those of a job that asks for nothing special.
    static let standard = JobTerms(Values())

    let values: Values

    private init(_ values: Values) {
        self.values = values
    }

    /// Other terms.
    func changed(_ body: (inout Values) -> Void) -> JobTerms {
        var values = values
        body(&values)
        return JobTerms(values)
    }

    static func == (left: JobTerms, right: JobTerms) -> Bool { left === right || left.values == right.values }
}
