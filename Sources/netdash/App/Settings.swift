import Dashboard

/// What holds for a whole run: limits, output and the dashboard's looks.
struct Settings: Sendable, Equatable {
    /// How much goes into the log.
    enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case error, warning, info, debug

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .info: 2
            case .debug: 3
            }
        }

        static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
    }

    /// When colours are used.
    enum Color: String, Sendable, CaseIterable {
        case auto, always, never
    }

    /// The folder of downloads, as the user wrote it; nil for the current one.
    var directory: String?
    /// Where it was named, for messages.
    var directoryLabel = "-d"
    var maximumConcurrent = 5
    var maximumPerHost = 16
    var retries = 5
    var connectTimeout = 15.0
    var stallTimeout = 30.0
    var session = SessionChoice.automatic
    var isQuiet = false
    var logPath: String?
    /// Where it was named, for messages.
    var logLabel = "--log"
    var logLevel = LogLevel.info
    /// Nil when the user did not choose.
    var framesPerSecond: Int?
    var color = Color.auto
    /// Nil when the user did not choose, so that the terminal may.
    var glyphs: GlyphSet?
    var usesMouse = false
    var exitsWhenDone = false
    /// What the configuration file alone can say.
    var looks = DashboardLooks()
}
