/// The holds of hosts that a worker has said, so that each hold is one line.
struct HoldNotes: Equatable, Sendable {
    private var ends: [String: Double] = [:]

    /// Notes a hold that ends in `seconds`; false while an earlier one of the host lasts.
    mutating func note(_ host: String, seconds: Double, at now: Double) -> Bool {
        ends = ends.filter { $0.value > now }
        guard ends[host] == nil else { return false }
        ends[host] = now + seconds
        return true
    }
}
