/// What a person asked netdash to do: one row of the table before it exists.
///
/// The command line, input files and the add form all produce jobs; only the session bridge turns a job into a task.
struct Job: Sendable, Equatable {
    /// The three kinds of task.
    enum Kind: String, Sendable, CaseIterable {
        case data, upload, download
    }

    /// One header line, exactly as it will be sent.
    struct Header: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// Where the request's body comes from.
    enum Body: Sendable, Equatable {
        case none
        case text(String)
        case file(path: String)
        case standardInput
    }

    /// Where a response goes.
    enum Output: Sendable, Equatable {
        /// A download's folder and, when given, its name; a data body stays in memory.
        case automatic
        case name(String)
        case standardOutput
    }

    /// What happens when the destination's name is taken.
    enum IfExists: String, Sendable, CaseIterable {
        case rename, skip, overwrite, fail
    }

    /// A digest the whole file must have.
    struct Checksum: Sendable, Equatable {
        enum Algorithm: String, Sendable, CaseIterable {
            case sha256 = "sha-256"
            case sha512 = "sha-512"
            case sha1 = "sha-1"
            case md5
        }
        var algorithm: Algorithm
        /// Lower-case hexadecimal of the algorithm's full length.
        var hex: String
    }

    var kind: Kind
    /// The URL as the user wrote it, with a scheme.
    var url: String
    /// Nil stands for the kind's own method: GET, PUT or GET.
    var method: String?
    var headers: [Header] = []
    var body: Body = .none
    /// Folder of a download; nil stands for the one of the command line.
    var directory: String?
    var output: Output = .automatic
    var checksum: Checksum?
    var ifExists: IfExists = .rename
    /// Whether a matching part of an earlier run is adopted.
    var continues: Bool = true
    var startsPaused: Bool = false
    var usesHTTP2: Bool = false
}
