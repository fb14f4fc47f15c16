/// Comparing the ranges of several connections where they meet.
extension SegmentedHandler {
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
