/// How large the kernel's buffer for a paused download has to be, so that it goes on at full speed and no larger.
///
/// The kernel sizes the buffer by how much is read in one round trip. What gathers during a pause is read at once, which
/// the kernel takes for a far faster line: after two pauses the buffer has tens of megabytes, and the next pause takes all
/// of them. So the buffer of a connection that was paused is kept as it is, and grows only as the line itself needs it.
struct ReceiveWindow: Sendable {
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

    private var last: (received: Int64, time: Int64)?

    /// Looks at a connection that is read from; time in milliseconds.
    ///
    /// Returns the bytes for which room is needed, where the buffer may be what limits the speed.
    mutating func look(_ figures: Figures, now: Int64) -> Int64? {
        defer { last = (figures.received, now) }
        guard let last, now > last.time else { return nil }
        let roundTrip = max(figures.roundTrip, min(figures.receiveRoundTrip, Self.longestEstimate))
        let underWay = (figures.received - last.received) * roundTrip / ((now - last.time) * 1000)
        return underWay > figures.buffer / 4 ? underWay * 4 : nil
    }

    /// Forgets the last look, because nothing was read since.
    mutating func pause() { last = nil }
}
