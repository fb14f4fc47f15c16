/// What an attempt asks of the transfer that has begun it, mostly while libcurl calls.
///
/// Everything is called on the transfer loop.
protocol AttemptOwner: AnyObject {
    /// The request of the current hop.
    var request: TransferRequest { get }
    /// The request as the caller gave it.
    var firstRequest: TransferRequest { get }
    /// The server whose slots it takes, with the proxy that leads there.
    var host: String { get }
    /// Whether its own request goes to an https URL.
    var isEncrypted: Bool { get }
    /// Whether its last request went over a connection that was there already.
    var hasReusedConnection: Bool { get }

    // MARK: - The answer

    /// A final head has come; records what follows in the attempt.
    func judge(_ head: ResponseHead, of attempt: Attempt)
    /// An interim answer may have come; false ends the attempt.
    func hearInterim(of attempt: Attempt) -> Bool
    /// Whether what begins to arrive on a used connection can be the answer; else records what follows.
    func isAnswer(of attempt: Attempt) -> Bool
    /// The body is longer than it may be; records what follows.
    func passedSizeLimit(_ attempt: Attempt)
    /// Why the body may not be sent once more; nil where it may.
    func refusalToRepeat(_ attempt: Attempt) -> SessionError?
    /// Counts have changed; called for every chunk.
    func enqueueStatus()

    // MARK: - Limits on speed

    /// Whether a limit bounds either direction.
    var isPaced: Bool { get }
    /// Whether bytes may move now; false pauses the attempt until its next portion.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool
    /// Bytes have moved.
    func hasMoved(_ direction: Pace.Direction, _ count: Int64, _ attempt: Attempt)
    /// As much of a buffer as a limit lets an upload fill at once.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer

    // MARK: - Sockets

    /// Whether a socket is still the one that has its number.
    func isCurrent(_ socket: SocketName) -> Bool
    /// libcurl has made a socket.
    func made(_ socket: Int32) -> SocketName
    /// Finds the socket of an attempt that has begun to be answered and has none yet.
    func locate(_ attempt: Attempt)
    /// Bytes that libcurl has given to the kernel and that have not arrived.
    func bytesInFlight(for attempt: Attempt) -> Int64
}
