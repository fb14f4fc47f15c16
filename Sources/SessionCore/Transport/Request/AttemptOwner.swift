/// The transfer behind an attempt, called on the transfer loop, mostly from libcurl's callbacks.
protocol AttemptOwner: AnyObject {
    /// The request of the current hop.
    var request: TransferRequest { get }
    /// The request as the caller gave it.
    var firstRequest: TransferRequest { get }
    /// The server whose slots it takes, with the proxy on the route.
    var host: String { get }
    /// Whether its own request goes to an https URL.
    var isEncrypted: Bool { get }
    /// Whether its last request went over an existing connection.
    var hasReusedConnection: Bool { get }

    // MARK: - The response

    /// Judges a final head, and records the next step in the attempt.
    func judge(_ head: ResponseHead, of attempt: Attempt)
    /// Handles a possible interim response; false ends the attempt.
    func hearInterim(of attempt: Attempt) -> Bool
    /// Whether the first bytes on a reused connection can be the response; otherwise records the next step.
    func isAnswer(of attempt: Attempt) -> Bool
    /// Records the next step after a body exceeded its limit.
    func passedSizeLimit(_ attempt: Attempt)
    /// Returns why the body may not be sent again; nil if it may.
    func refusalToRepeat(_ attempt: Attempt) -> SessionError?
    /// Enqueues changed counts; called for every chunk.
    func enqueueStatus()

    // MARK: - Rate limits

    /// Whether a rate limit applies to either direction.
    var isPaced: Bool { get }
    /// Whether bytes may move now; false pauses the attempt until its next portion.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool
    /// Counts bytes that have moved.
    func hasMoved(_ direction: Pace.Direction, _ count: Int64, _ attempt: Attempt)
    /// Returns the part of a buffer that a limit lets an upload fill at once.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer

    // MARK: - Sockets

    /// Whether a socket still has its number.
    func isCurrent(_ socket: SocketName) -> Bool
    /// Records that libcurl has made a socket.
    func made(_ socket: Int32) -> SocketName
    /// Marks the packets of a socket; returns false when the system refuses.
    func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool
    /// Finds the socket of an attempt that has begun to be answered and has none yet.
    func locate(_ attempt: Attempt)
    /// Returns the bytes libcurl has given to the kernel that the peer has not acknowledged.
    func bytesInFlight(for attempt: Attempt) -> Int64
}
