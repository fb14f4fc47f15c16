/// Computes the next step of a delivery.
///
/// A pure value: it sends nothing and has no clock.
struct DeliveryPlan {
    enum Step {
        /// Moves this many bytes, at least one.
        case move(Int)
        case stall(Gate)
        case cut(Cut.Manner)
        case end
    }

    private var stalls: ArraySlice<Stall>
    private let cut: Cut?
    private let total: Int64
    private let block: Int

    /// A plan for a body of `total` bytes, moved in blocks of at most `block`.
    init(_ delivery: Delivery, total: Int64, block: Int) {
        stalls = delivery.stalls.sorted { $0.after < $1.after }[...]
        cut = delivery.cut
        self.total = total
        let perSecond = delivery.bytesPerSecond ?? .max
        // Twenty steps per second look even, and keep a thousand slow connections affordable.
        self.block = Int(max(1, min(Int64(block), perSecond / 20)))
    }

    /// Returns the step after `position` bytes; each stall is returned once.
    mutating func next(at position: Int64) -> Step {
        if let stall = stalls.first, stall.after <= position {
            stalls.removeFirst()
            return .stall(stall.gate)
        }
        if let cut, cut.after <= position { return .cut(cut.manner) }
        var limit = total
        if let stall = stalls.first { limit = min(limit, stall.after) }
        if let cut { limit = min(limit, cut.after) }
        guard position < limit else { return .end }
        return .move(Int(min(Int64(block), limit - position)))
    }
}
