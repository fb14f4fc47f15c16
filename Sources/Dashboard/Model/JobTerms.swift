/// What a job asks for beside its URL, behind one reference: a list of thousands is copied from hand to hand, and its jobs
/// have the same terms.
package final class JobTerms: Sendable, Equatable {
    /// The terms themselves.
    package struct Values: Sendable, Equatable {
        /// Nil stands for the kind's own method: GET, PUT or GET.
        package var method: String? = nil
        package var headers: [Job.Header] = []
        package var body: Job.Body = .none
        /// Folder of a download; nil stands for the one of the command line.
        package var directory: String? = nil
        package var output: Job.Output = .automatic
        package var checksum: Job.Checksum? = nil
        package var ifExists: Job.IfExists = .rename
        /// Whether a matching part of an earlier run is adopted.
        package var continues: Bool = true
        package var startsPaused: Bool = false
        package var usesHTTP2: Bool = false
    }

    /// Those of a job that asks for nothing special.
    package static let standard = JobTerms(Values())

    package let values: Values

    private init(_ values: Values) {
        self.values = values
    }

    /// Other terms.
    package func changed(_ body: (inout Values) -> Void) -> JobTerms {
        var values = values
        body(&values)
        return JobTerms(values)
    }

    package static func == (left: JobTerms, right: JobTerms) -> Bool { left === right || left.values == right.values }
}
