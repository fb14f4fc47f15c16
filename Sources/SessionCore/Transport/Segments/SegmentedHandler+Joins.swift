/// Comparing the ranges of several connections where they meet.
extension SegmentedHandler {
    /// How many bytes before a place a range that begins there is asked for with, to be compared.
    ///
    /// - Parameter url: where the request goes.
    func overlap(before place: Int64, of source: Int, asking url: String) -> Int64 {
        if case .entityTag? = facts(of: source)?.strongValidator, !comparesAlways, !core.falseServers.contains(url) {
            return 0
        }
        return min(place, RangeJoins.length)
    }

    /// Compares what answers have brought of the bytes before their ranges with what stands there by now.
    ///
    /// Not for libcurl's callbacks. Returns the error of a part that cannot be read, of which nothing is known then.
    func compareJoins() -> SessionError? {
        guard let segments, !segments.joins.open.isEmpty else { return nil }
        for join in segments.joins.open where segments.plan.isHeld(join.range) {
            do throws(SessionError) {
                guard try stand(join.bytes, at: join.range.lowerBound) else {
                    // Behind the front either of both may be false.
                    core.transfer(id)?.giveUpBranches(to: join.place == segments.plan.front ? join.source : nil)
                    return nil
                }
                segments.joins.close(join.place)
            } catch {
                return error
            }
        }
        return nil
    }
}
