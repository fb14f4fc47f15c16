import CLinux

/// Calculates the kernel's receive buffer for a paused download: large enough for full speed afterwards and no larger.
///
/// The kernel sizes the buffer by how much is read in one round trip. Bytes that gather during a pause are read at
/// once, which the kernel takes for a far faster line: after two pauses the buffer has tens of megabytes, and the next
/// pause fills it. So the buffer of a connection that was paused is fixed, and grows only as the line itself needs it.
/// On a busy machine several round trips are read at once even before a pause: a buffer that is far too large is shrunk
/// while the download runs, because the peer may use the window it was promised.
struct ReceiveWindow: Sendable {
    /// A change of the buffer's size.
    enum Change: Sendable, Equatable {
        /// To room for this many bytes of data.
        case grow(Int64)
        /// To this size.
        case shrink(Int64)
    }

    /// The kernel's figures about a connection.
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

    /// Milliseconds between two checks.
    static let interval: Int64 = 250
    /// The longest round trip estimated from arrivals that counts, in microseconds; longer ones are mostly a sender's
    /// silence.
    private static let longestEstimate: Int64 = 50_000
    /// A smaller buffer takes too little during a pause to be changed.
    private static let largeBuffer: Int64 = 1 << 20
    /// The factor by which a large buffer may exceed the line's need, and the least size to which it is shrunk.
    private static let excess: Int64 = 8
    private static let enough: Int64 = 400_000

    /// Whether the buffer's size is fixed instead of chosen by the kernel.
    var isFixed = false
    private var last: (received: Int64, time: Int64)?

    init(isFixed: Bool = false) { self.isFixed = isFixed }

    /// Checks a connection that is being read; time in milliseconds.
    ///
    /// A fixed buffer grows where it may limit the speed; the kernel enlarges any other one by itself.
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

    /// Forgets the last check, because nothing is read during a pause.
    mutating func pause() { last = nil }
}

/// The buffer of a socket.
extension ReceiveWindow {
    /// Fixes the receive buffer of a socket at its present size; nil where the kernel cannot, so that nothing changes: a
    /// pause then buffers as much as the kernel allows.
    static func fixed(_ socket: Int32) -> ReceiveWindow? {
        cl_receiving_fix(socket) == 0 ? ReceiveWindow(isFixed: true) : nil
    }

    /// Checks whether the receive buffer of a socket limits the speed or is far too large, and changes it; returns false
    /// where the kernel has no figures about it.
    mutating func adapt(_ socket: Int32, now: Int64) -> Bool {
        var raw = cl_receiving()
        guard cl_receiving_figures(socket, &raw) == 0 else { return false }
        let figures = Figures(
            received: raw.received, roundTrip: Int64(raw.round_trip), receiveRoundTrip: Int64(raw.receive_round_trip),
            buffer: Int64(raw.buffer))
        // This fails only where the kernel cannot fix the buffer either, or when the connection is gone.
        switch look(figures, now: now) {
        case .grow(let room): _ = cl_receiving_grow(socket, Int32(clamping: room))
        case .shrink(let size): isFixed = cl_receiving_shrink(socket, Int32(clamping: size)) == 0
        case nil: break
        }
        return true
    }

    /// Returns control of a socket's buffer to the kernel, because the connection may serve another transfer.
    func free(_ socket: Int32?) {
        if isFixed, let socket { _ = cl_receiving_free(socket) }
    }
}
