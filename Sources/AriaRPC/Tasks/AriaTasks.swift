package import TransferValues

/// The tasks behind the interface: questions about rows, and the dashboard's own commands.
///
/// A service implements it. Answers are copies; each may wait for a lock or a disk. Safe from any thread.
package protocol AriaTasks: AnyObject, Sendable {
    /// The ids of all rows, in the order they were added.
    func ids() -> [UInt64]
    /// At most `limit` ids of rows that were added after another one.
    func ids(after id: UInt64, limit: Int) -> [UInt64]
    /// Where every row stands, in the order they were added.
    func standings() -> [RowStanding]
    /// The current numbers of some rows; missing ids are left out.
    func figures(of ids: [UInt64]) -> [RowFigures]
    /// The current rows of some ids; missing ids are left out.
    func rows(of ids: [UInt64]) -> [RowSnapshot]
    /// The jobs of some rows with absolute paths; missing ids are left out.
    func jobs(of ids: [UInt64]) -> [Job]
    func details(of id: UInt64) -> RowDetails?
    /// The path of a row's file, as far as it is known.
    func path(of id: UInt64) -> String?
    /// The connections that receive or send the bodies of some rows; rows without any are left out.
    func connections(of ids: [UInt64]) -> [UInt64: Int]
    /// How many tasks run at once, and the limits on their speed.
    var limits: (TransferLimits, RatePlan) { get }
    func send(_ command: TransferCommand) -> AriaReply
}

/// The immediate outcome of a command.
package struct AriaReply: Sendable, Equatable {
    /// The rows of added jobs.
    package var added: [UInt64]
    /// The rows of existing downloads that jobs repeated.
    package var repeated: [UInt64]
    /// Why a row is not changed, a sentence for each.
    package var refusals: [String]

    package init(added: [UInt64] = [], repeated: [UInt64] = [], refusals: [String] = []) {
        (self.added, self.repeated, self.refusals) = (added, repeated, refusals)
    }
}

/// What the interface needs of the program around it.
package struct AriaProgram: Sendable {
    /// The program's name and version, for clients that show it.
    package var version: String
    /// The absolute folder of downloads without their own.
    package var directory: String
    /// The User-Agent of tasks without their own; nil where it is not known.
    package var userAgent: String?
    /// Milliseconds of the clock of the rows.
    package var now: @Sendable () -> Int64
    /// The tasks of a Metalink, with the options of the call as defaults; nil for a document that is none.
    package var metalink: @Sendable ([UInt8], Job) -> [Job]?
    /// Writes a list of tasks to a file; returns false where the disk refuses it.
    package var write: @Sendable (_ text: String, _ path: String) -> Bool
    /// Logs a sentence.
    package var log: @Sendable (SafeText) -> Void

    package init(
        version: String, directory: String, userAgent: String? = nil, now: @escaping @Sendable () -> Int64,
        metalink: @escaping @Sendable ([UInt8], Job) -> [Job]?,
        write: @escaping @Sendable (_ text: String, _ path: String) -> Bool,
        log: @escaping @Sendable (SafeText) -> Void
    ) {
        (self.version, self.directory, self.userAgent) = (version, directory, userAgent)
        (self.now, self.metalink, self.write, self.log) = (now, metalink, write, log)
    }
}
