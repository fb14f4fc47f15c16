/// The configuration of a session.
///
/// By default failures are reported at once, and nothing is retried unless ``maximumRetries`` says so.
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
    /// Concurrent transfers.
    ///
    /// Paused ones do not count.
    public var maximumConcurrentTransfers: Int = 64
    /// Concurrent transfers to one origin.
    public var maximumConcurrentTransfersPerHost: Int = 16
    /// Whether data tasks have separate slots, as many as the two limits say, so that they never wait behind uploads
    /// and downloads.
    public var dataTransfersHaveOwnSlots: Bool = false
    /// Retries after a failure that may be temporary, such as a refused connection, a stall or a status of 503; zero
    /// for none.
    ///
    /// An attempt that received new usable bytes resets the count. Between attempts the wait grows from one second to
    /// one minute. A request that must not be repeated is not. A download whose file changes during the transfer, or
    /// whose response contains another range than requested, begins again twice, and from ten retries on as often as
    /// this number says.
    public var maximumRetries: Int = 0
    /// Seconds for which a server that is down is retried, also beyond ``maximumRetries`` unless that is zero: one that
    /// refuses connections, is silent, asks for a later retry, or whose gateway reports an outage.
    ///
    /// Zero by default. Such a host is in backoff: one transfer at a time tries it, at growing intervals of up to 30
    /// seconds, and the others wait for the result. Time that the server asked for does not count, nor does time
    /// without a network.
    public var outagePatience: Double = 0
    /// Seconds to wait for a lost network; nil, the default, for no limit.
    ///
    /// Programs without a user set it, so that a run ends.
    public var networkPatience: Double?
    /// Seconds after a task's first failed attempt in a row in which retries may begin, whatever the reason; nil for no
    /// limit.
    public var maximumRetryTime: Double?
    /// Seconds to establish a connection.
    public var connectTimeout: Double = 15
    /// Seconds without a byte sent or received before an attempt counts as stalled; a request's own value wins.
    ///
    /// It applies while the server should receive a request's bytes or send a body's. Only
    /// ``RequestOptions/answerTimeout`` and ``RequestOptions/timeLimit`` bound the wait for the response.
    public var stallTimeout: Double = 30
    /// Limits on body bytes per second; none by default.
    ///
    /// ``SessionManager/setRateLimits(_:)`` changes them while the session runs.
    public var rateLimits = RateLimits()
    /// How many requests may begin in a time; no limit by default.
    package var requestRates = RequestRates()
    /// How many connections download a file, for targets without their own setting; one by default, as in AFNetworking.
    public var segmentation = Segmentation.single
    /// Body bytes that a data task collects before it fails with ``SessionError/Code/bodyTooLarge``.
    ///
    /// Without a limit by default; set one for servers that are not trusted.
    public var dataLimit: Int = .max
    /// Whether data tasks request and decode the content codings that the system's libcurl supports (gzip, deflate, br,
    /// zstd).
    ///
    /// Only for requests without their own `Accept-Encoding` or `Range`, whose bodies are not decoded. Counts are bytes
    /// on the network, ``dataLimit`` counts decoded bytes. A body that grows beyond 16 MiB and a hundred times its
    /// encoded size fails with ``SessionError/Code/bodyTooLarge``, a body that ends before its coding does with
    /// ``SessionError/Code/truncated``.
    public var decodesBodies: Bool = false
    /// Whether an upload whose PUT gets 409 makes the WebDAV collections above its URL.
    ///
    /// False by default: a program's server may mean something else by 409, and is sent what the program asked for.
    package var makesCollections: Bool = false
    /// Seconds for which a paused download keeps its connection.
    public var holdTimeout: Double = 10
    /// Header fields of every request; a request's own field of the same name wins.
    public var additionalHeaders: HeaderFields = ["User-Agent": "SessionCore/0.1"]
    /// The route to servers, trust in them, and credentials, for requests without their own; nil for no proxy, the
    /// system's authorities and no credentials.
    ///
    /// It is not encoded, because it may contain secrets.
    public var options: RequestOptions?
    /// The folder for downloads whose destination is decided at the end; nil for one in the system's temporary folder.
    ///
    /// A new session removes partial files of killed processes there; partial files that resume data or a store name
    /// stay.
    public var stagingFolder: String?

    /// The name of a persistent session, which keeps its tasks in a store on the disk; nil for one that stores nothing.
    ///
    /// One to 64 letters, digits, dots, dashes or underscores, not beginning with a dot. Only one session of a name can
    /// be open at a time, in all processes: ``SessionError/Code/sessionInUse``.
    public var identifier: String?
    /// The folder of the store: private to its user (mode 0700), on a local file system, created when missing.
    ///
    /// Nil for `$XDG_STATE_HOME/sessioncore`, else `~/.local/state/sessioncore`.
    public var storeFolder: String?
    /// Whether tasks that were running in an earlier run are resumed at the end of ``SessionManager``'s initializer.
    ///
    /// Otherwise each waits for its ``SessionTask/resume()``. A request that was sent and must not be repeated is
    /// resumed only by its user.
    public var resumesRestoredTasks: Bool = true
    /// Whether a transfer of an earlier run that had not begun becomes a task again at once.
    ///
    /// Otherwise it stays in the store until a task is made of its number: a waiting task takes kilobytes, and a
    /// hundred thousand may wait.
    package var restoresUnstartedTasks: Bool = true
    /// The most completed transfers of a store when it is opened; the oldest ends are removed first.
    ///
    /// Nil for all of them: each costs a start some ten microseconds and two kilobytes where all are read. Their files
    /// stay.
    public var completedTasksLimit: Int?
    /// The most failed and cancelled transfers of a store when it is opened; the oldest ends are removed first.
    ///
    /// Transfers with a partial file, or an upload's URL at a server, always stay and are not counted. Nil for all of
    /// them.
    public var failedTasksLimit: Int?
    /// Whether opening the body file of a persistent session's upload, when it is created or restored, is retried three
    /// times (`attemptsToRecreateUploadTasksForBackgroundSessions`).
    public var attemptsToRecreateUploadTasks: Bool = false

    /// Everything but the options, which may contain secrets.
    private enum CodingKeys: String, CodingKey {
        case maximumConcurrentTransfers, maximumConcurrentTransfersPerHost, dataTransfersHaveOwnSlots, maximumRetries
        case outagePatience, networkPatience, maximumRetryTime
        case connectTimeout, stallTimeout, dataLimit, decodesBodies, holdTimeout, additionalHeaders, stagingFolder
        case makesCollections
        case rateLimits, requestRates, segmentation
        case identifier, storeFolder, resumesRestoredTasks, restoresUnstartedTasks, completedTasksLimit
        case failedTasksLimit
        case attemptsToRecreateUploadTasks
    }

    /// Creates the default values.
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
