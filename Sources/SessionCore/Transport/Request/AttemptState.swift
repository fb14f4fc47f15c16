import CCurl

/// The state of an attempt in values: each changes only through its own methods.
extension Attempt {
    /// The settings that are fixed before an attempt begins.
    struct Plan {
        /// The options for its connection; nil for the default ones.
        var connection: ConnectionSettings?
        /// Whether the request asked for content codings, which are decoded.
        var decodesBody = false
        /// Whether its connection may be shared with other transfers.
        var allowsHTTP2 = false
        /// Whether our own field `Expect: 100-continue` was sent.
        var expectsContinue = false
        /// Whether the head is the complete response although libcurl would wait for a body: a HEAD request with a body
        /// of its own is an upload to libcurl.
        var endsAtHead = false
        /// The user name and password that libcurl shows by NTLM; nil for any other scheme.
        var handshake: RequestCredentials?
        /// The review of the server's certificate.
        var trust: TrustReview?
    }

    /// The observers of a running attempt.
    struct Watches {
        /// The receive buffer of its connection, once it was paused or has run for a while.
        private(set) var window: ReceiveWindow?
        /// Detects that no bytes move.
        private(set) var stall: StallWatch?
        /// Detects too many bytes outside the body.
        private var framing = FramingWatch()
        /// Detects a close_notify at the end of a body without a length, over a secure connection.
        private(set) var closing: Closing?

        // MARK: The receive buffer

        /// Watches a buffer: a fixed one, or one that the kernel sizes.
        mutating func observe(_ window: ReceiveWindow) { self.window = window }

        /// Forgets the last check of the buffer, because nothing is read during a pause.
        mutating func pauseWindow() { window?.pause() }

        /// Checks the buffer of a socket; returns false where it is not watched, or where the kernel has no figures.
        mutating func adaptWindow(_ socket: Int32, now: Int64) -> Bool { window?.adapt(socket, now: now) == true }

        /// Ends the watch of the buffer, and returns it.
        mutating func takeWindow() -> ReceiveWindow? {
            defer { window = nil }
            return window
        }

        // MARK: Movement

        /// Begins to watch for a stall, or records what a check has found.
        mutating func observe(_ stall: StallWatch) { self.stall = stall }

        /// Resets the count of moved bytes, when the body is sent again from its beginning.
        mutating func bodyBegins() { stall?.bodyBegins() }

        /// Whether too many of the arrived bytes belong to no body.
        mutating func isExcessive(arrived: Int64, delivered: Int64) -> Bool {
            framing.isExcessive(arrived: arrived, delivered: delivered)
        }

        /// Watches the end of a body without a length.
        mutating func awaitClosing(of handle: EasyHandle) { closing = Closing(of: handle) }
    }

    /// The effect of rate limits on an attempt.
    struct Pacing {
        /// Whether a limit has paused it since the last check for movement.
        private(set) var hasPaused = false
        /// The latest portion of a limit that it has used up, counted over all attempts.
        private(set) var latestPortion = 0

        /// Records that a limit pauses the attempt.
        mutating func paused() { hasPaused = true }

        /// Begins the time until the next check for movement.
        mutating func checked(isPaced: Bool) { hasPaused = isPaced }

        mutating func usedUp(portion: Int) { latestPortion = portion }
    }

    /// The state of an attempt's metrics.
    struct Figures {
        /// Whether it has begun or been answered since they were collected.
        private(set) var areNew = false
        /// Whether the addresses of its connection are in the metrics.
        private(set) var haveEndpoints = false

        /// Records that there is something to collect; returns false if that is known.
        mutating func change() -> Bool {
            guard !areNew else { return false }
            areNew = true
            return true
        }

        mutating func collected() { areNew = false }

        mutating func recordedEndpoints() { haveEndpoints = true }
    }

    /// The end of an attempt.
    enum End {
        /// It runs.
        case none
        /// libcurl's result, withheld until the caller has decided about the response.
        case withheld(CURLcode)
        case known(Facts)

        /// The facts about an attempt that libcurl has finished.
        struct Facts {
            /// Whether its connection stays open for another attempt.
            var leavesConnection = false
            /// Whether its peer has acknowledged a complete body.
            var hasGivenAll = false
            /// Whether the body ended before its content coding did.
            var isCutInCoding = false
        }

        /// The facts; of an attempt that runs, or was broken off, nothing is true.
        var facts: Facts { if case .known(let facts) = self { facts } else { Facts() } }
    }
}
