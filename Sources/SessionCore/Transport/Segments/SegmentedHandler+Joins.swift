/// Comparing the ranges of several connections where they meet.
extension SegmentedHandler {
    /// Returns how many bytes before a range's beginning are requested for comparison.
    ///
    /// - Parameter url: the request's URL.
    func overlap(before offset: Int64, of source: Int, asking url: String) -> Int64 {
        if case .entityTag? = metadata(of: source)?.strongValidator, !comparesAlways, !core.falseServers.contains(url) {
            return 0
        }
        return min(offset, RangeJoins.length)
    }

    /// Compares the bytes that responses contained before their ranges with the ones now received there.
    ///
    /// Must not be called inside libcurl's callbacks. Returns the error if the partial file cannot be read; the
    /// comparison is then undecided.
    func compareJoins() -> SessionError? {
        guard let segments, !segments.joins.open.isEmpty else { return nil }
        for join in segments.joins.open where segments.plan.hasReceived(join.range) {
            do throws(SessionError) {
                guard try stand(join.bytes, at: join.range.lowerBound) else {
                    // Beyond the front either of the two may be false.
                    core.transfer(id)?.connections.giveUpBranches(
                        to: join.offset == segments.plan.contiguousEnd ? join.source : nil)
                    return nil
                }
                segments.joins.close(join.offset)
            } catch {
                return error
            }
        }
        return nil
    }
}
