/// The configuration of a session.
///
/// By default it answers at once: a failure is told when it happens, and nothing is tried again unless
/// ``maximumRetries`` asks for it.
///
/// A value: later changes to a caller's copy have no effect on a session.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.maximumConcurrentTransfers = 4
/// configuration.maximumRetries = 2
/// let manager = SessionManager(configuration: configuration)
/// ```
public struct SessionConfiguration: Sendable, Equatable, Codable {
    /// Transfers at once.
    ///
    /// Paused ones do not count.
    public var maximumConcurrentTransfers: Int = 64
    /// Transfers at once to one origin.
    public var maximumConcurrentTransfersPerHost: Int = 16
    /// Whether data tasks have slots of their own, as many as the two limits say, so that they never wait behind uploads and
    /// downloads.
    public var dataTransfersHaveOwnSlots: Bool = false
    /// Further attempts after one that failed for a reason that may pass, such as a refused connection, a stall or a
    /// status of 503; zero for none.
    ///
    /// An attempt that received new bytes which count begins the count anew. Between attempts the wait grows from one
    /// second to one minute. A request that must not be repeated is not. A download whose file changes under it, or comes back
    /// as another part than was asked for, begins again twice, and as often as this number says from ten on.
    public var maximumRetries: Int = 0
    /// Seconds for which a server that is away is waited for, also beyond ``maximumRetries``, where that is not zero: one
    /// that refuses connections, is silent, asks to come back later, or whose gateway says that it is away.
    ///
    /// Zero by default. Such a host is held: one transfer tries again at a time, at growing intervals of up to 30 seconds,
    /// and the others wait for what becomes of that. Time for which the server asked does not count, nor does that in which
    /// this machine has no network.
    public var outagePatience: Double = 0
    /// Seconds for which a network that is gone is waited for; nil, the default, for as long as it takes.
    ///
    /// Whoever runs without a user sets it, so that a run ends.
    public var networkPatience: Double?
    /// Seconds after a task's first failed attempt in a row after which none is made any more, whatever the reason; nil for
    /// no such limit.
    public var maximumRetryTime: Double?
    /// Seconds to establish a connection.
    public var connectTimeout: Double = 15
    /// Seconds without a byte moving before an attempt counts as stalled; a request's own value wins.
    ///
    /// Bytes are owed by a server that does not take those of a request, or does not go on with a body. How long it may think
    /// before it answers is bounded by ``RequestOptions/answerTimeout`` and ``RequestOptions/timeLimit`` alone.
    public var stallTimeout: Double = 30
    /// How fast bodies may move; not at all bounded by default.
    ///
    /// ``SessionManager/setRateLimits(_:)`` changes it while the session runs.
    public var rateLimits = RateLimits()
    /// How many connections fetch a file, for targets that say nothing of their own about it; one by default, as the
    /// original has it.
    public var segmentation = Segmentation.single
    /// Bytes of body a data task collects before it fails with ``SessionError/Code/bodyTooLarge``.
    ///
    /// Without a limit by default; whoever asks servers that are not trusted sets one.
    public var dataLimit: Int = .max
    /// Whether data tasks ask for their bodies in the content codings that the system's libcurl knows (gzip, deflate, br,
    /// zstd), and undo them.
    ///
    /// Only for requests that have neither `Accept-Encoding` nor `Range` of their own: whoever asks gets what the server
    /// sends. Counts are those of the bytes on the line, ``dataLimit`` counts what they become. A body that grows beyond
    /// 16 MiB and a hundred times what was sent fails with ``SessionError/Code/bodyTooLarge``, one that ends before its
    /// coding does with ``SessionError/Code/truncated``.
    public var decodesBodies: Bool = false
    /// Seconds a paused download holds its connection before it is given up.
    public var holdTimeout: Double = 10
    /// Header fields of every request; a request's own field of the same name wins.
    public var additionalHeaders: HeaderFields = ["User-Agent": "SessionCore/0.1"]
    /// The way to servers, whom to believe there, and who asks, for requests that say nothing of their own about it; nil for
    /// no proxy, the system's authorities and nobody in particular.
    ///
    /// It is not encoded, because it may hold secrets.
    public var options: RequestOptions?
    /// Folder for downloads whose destination is asked for at the end; nil for one in the system's temporary folder.
    ///
    /// A session that begins removes parts there which processes that were killed have left; those that resume data or a
    /// store name stay.
    public var stagingFolder: String?

    /// Names a persistent session, which keeps its tasks in a store on the disk; nil for one that keeps nothing.
    ///
    /// One to 64 letters, digits, dots, dashes or underscores, not beginning with a dot. Only one session of a name can
    /// be open at a time, in all processes: ``SessionError/Code/sessionInUse``.
    public var identifier: String?
    /// Folder of the store: private to its user (mode 0700), on a local file system, created when missing.
    ///
    /// Nil for `$XDG_STATE_HOME/sessioncore`, else `~/.local/state/sessioncore`.
    public var storeFolder: String?
    /// Whether the tasks of an earlier run that ran then are resumed at the end of ``SessionManager``'s initializer.
    ///
    /// Otherwise each waits for its ``SessionTask/resume()``. A request that was sent and must not be
    /// repeated is never resumed without its user.
    public var resumesRestoredTasks: Bool = true
    /// Whether a transfer of an earlier run that had not begun becomes a task again at once.
    ///
    /// Otherwise it stays in the store until somebody makes a task of its number: a task that waits
    /// takes kilobytes, and a hundred thousand may wait.
    package var restoresUnstartedTasks: Bool = true
    /// How many completed transfers a store has at most when it is opened; those that ended longest ago leave it first.
    ///
    /// Nil for all of them: each costs a start some ten microseconds and two kilobytes where all are read. Their files stay.
    public var completedTasksLimit: Int?
    /// How many failed and cancelled transfers a store has at most when it is opened; those that ended longest ago leave it first.
    ///
    /// Those that have a part, or a place at a server where their upload goes on, stay whatever their number and are not
    /// counted. Nil for all of them.
    public var failedTasksLimit: Int?
    /// Whether an upload of a persistent session whose body file cannot be opened, when it is created or restored, is
    /// tried three times more (`attemptsToRecreateUploadTasksForBackgroundSessions`).
    public var attemptsToRecreateUploadTasks: Bool = false

    /// Everything but the options.
    private enum CodingKeys: String, CodingKey {
        case maximumConcurrentTransfers, maximumConcurrentTransfersPerHost, dataTransfersHaveOwnSlots, maximumRetries
        case outagePatience, networkPatience, maximumRetryTime
        case connectTimeout, stallTimeout, dataLimit, decodesBodies, holdTimeout, additionalHeaders, stagingFolder
        case rateLimits, segmentation
        case identifier, storeFolder, resumesRestoredTasks, restoresUnstartedTasks, completedTasksLimit
        case failedTasksLimit
        case attemptsToRecreateUploadTasks
    }

    /// The default values.
    public init() {}

    /// The default values (`NSURLSessionConfiguration.defaultSessionConfiguration`).
    public static var `default`: SessionConfiguration { SessionConfiguration() }

    /// The default values for a persistent session (`backgroundSessionConfigurationWithIdentifier:`).
    public static func persistent(identifier: String) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.identifier = identifier
        return configuration
    }
}
