/// How large the kernel's buffer for a paused download has to be, so that it goes on at full speed and no larger.
///
/// The kernel sizes the buffer by how much is read in one round trip. What gathers during a pause is read at once,
/// which the kernel takes for a far faster line: after two pauses the buffer has tens of megabytes, and the next pause
/// takes all of them. So the buffer of a connection that was paused is kept as it is, and grows only as the line itself
/// needs it. On a busy machine several round trips are read at once before any pause, too: a buffer that is far too large
/// is made smaller while the download runs, because the peer may use what it was promised.
struct ReceiveWindow: Sendable {
    /// What is to be done with the buffer.
    enum Change: Sendable, Equatable {
        /// Room for so many bytes is needed.
        case grow(Int64)
        /// So large a buffer is enough.
        case shrink(Int64)
    }

    /// What the kernel knows of a connection.
    struct Figures: Sendable {
        /// Bytes that have arrived since the connection was made.
        var received: Int64
        /// Microseconds.
        var roundTrip: Int64
        /// Microseconds, estimated from what arrives; too long where the sender has nothing to send.
        var receiveRoundTrip: Int64
        /// Bytes, of which about half or more is room for data.
        var buffer: Int64
    }

    /// Milliseconds between two looks.
    static let interval: Int64 = 250
    /// The estimate from what arrives counts up to this; longer ones are mostly a sender's silence.
    private static let longestEstimate: Int64 = 50_000
    /// A buffer of less takes too little during a pause to be touched.
    private static let largeBuffer: Int64 = 1 << 20
    /// How many times what the line needs a large buffer may be, and how large it is at least when that was too much.
    private static let excess: Int64 = 8
    private static let enough: Int64 = 400_000

    /// Whether the kernel leaves the buffer as it is.
    var isFixed = false
    private var last: (received: Int64, time: Int64)?

    init(isFixed: Bool = false) { self.isFixed = isFixed }

    /// Looks at a connection that is read from; time in milliseconds.
    ///
    /// A fixed buffer grows where it may be what limits the speed; the kernel makes any other one larger by itself.
    mutating func look(_ figures: Figures, now: Int64) -> Change? {
        defer { last = (figures.received, now) }
        guard let last, now > last.time else { return nil }
        let roundTrip = max(figures.roundTrip, min(figures.receiveRoundTrip, Self.longestEstimate))
        let inFlight = (figures.received - last.received) * roundTrip / ((now - last.time) * 1000)
        if figures.buffer >= Self.largeBuffer, inFlight > 0, inFlight <= figures.buffer / Self.excess {
            return .shrink(max(inFlight * Self.excess, Self.enough))
        }
        return isFixed && inFlight > figures.buffer / 4 ? .grow(inFlight * 4) : nil
    }

    /// Forgets the last look, because nothing was read since.
    mutating func pause() { last = nil }
}
