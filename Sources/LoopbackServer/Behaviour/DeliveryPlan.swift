/// Says what comes next while a body flows.
///
/// A pure value: it sends nothing and knows no clock.
struct DeliveryPlan {
    /// What to do at a position.
    enum Step {
        /// Move that many bytes (at least one).
        case move(Int)
        /// Wait here.
        case stall(Gate)
        /// Break off.
        case cut(Cut.Manner)
        /// All bytes have moved.
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
        // Twenty steps a second look even, and leave a thousand slow connections affordable.
        self.block = Int(max(1, min(Int64(block), perSecond / 20)))
    }

    /// What to do when `position` bytes have moved.
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
