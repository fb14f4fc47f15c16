/// A handler of a body received over several connections: a file, or a body passed on in order.
///
/// Contains what both have in common: the lead reaching the branches' bytes, and the judgement of the branches'
/// responses.
protocol SegmentedHandler: ResponseHandler {
    var core: LoopCore { get }
    var id: TransferID { get }
    var request: TransferRequest { get }
    /// Whether the branches' bytes can be stored.
    var takesBranches: Bool { get }
    /// Whether a branch's response contradicted the lead's response, after which no further branch is made.
    var hasContradicted: Bool { get set }
    /// Whether the body has bytes from branches.
    var hasBranched: Bool { get set }
    /// Whether the current attempt has received bytes.
    var hasAdvanced: Bool { get }
    /// Whether ranges are requested with `If-Match`.
    var asksByIfMatch: Bool { get }

    /// The digest of the complete body that the server has announced; nil without one.
    var announced: Checksum? { get }
    /// The offset at which the lead's response ends; 0 if unknown.
    var answerEnd: Int64 { get }

    /// Returns the facts that prove a source's responses; nil without any.
    func metadata(of source: Int) -> StoredMetadata?
    /// Whether a source differs from the one that began the body.
    func isForeign(_ source: Int) -> Bool
    /// Whether the body begins with the given bytes, which reveals a script that sends a range's fields and then the
    /// file from its first byte.
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool
    /// Whether bytes equal the ones at an offset.
    func stand(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool
    /// Compares every range fully from now on, because a server has sent other bytes than it named.
    func compareAlways()
    /// Prepares for bytes beyond the front; returns false if there can be none.
    func expectBranches() -> Bool
    /// Claims ranges for further connections, up to `count`.
    func claims(_ count: Int, own: Int64?) -> [SegmentPlan.Claim]
    /// Stores a branch's bytes, and returns the error if it cannot.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SessionError?
    /// Called when a branch has stored bytes up to an offset, and the plan contains them.
    func branchWrote(upTo offset: Int64)
    /// Continues behind bytes that branches have received.
    func goOn(behind contiguousEnd: Int64) -> SessionError?
    /// Limits the current response to the offset where a branch's bytes begin.
    func boundLead()
    /// Drops the branches' bytes beyond the front.
    func forgetBeyond()
    /// Makes a branch the lead.
    func takeOver(_ branch: SegmentBranch, _ attempt: Attempt)
}

extension SegmentedHandler {
    /// Ends branches whose claims the lead has entered before their responses: it does not wait for them.
    func dropOverrun() {
        guard let segments else { return }
        for branch in segments.branches where !branch.isAccepted && branch.asked.lowerBound < contiguousEnd {
            core.transfer(id)?.connections.end(branch, segments)
        }
    }

    /// Makes the lead fetch the branches' bytes again: after a contradiction its own response may be the last of this
    /// version.
    func readThrough() {
        guard let segments, segments.mayReadThrough(upTo: answerEnd) else { return }
        segments.plan.forgetFinished()
        forgetBeyond()
    }

    /// Continues behind the branches' bytes, if the lead has reached some.
    func passFinished() -> SessionError? {
        guard let segments, takesBranches else { return nil }
        dropOverrun()
        segments.bringUpToDate(lead: contiguousEnd)
        guard segments.plan.leadEnd == contiguousEnd else { return nil }
        if let error = compareJoins() { return error }
        segments.plan.absorb()
        // The lead continues from the new front.
        return goOn(behind: segments.plan.contiguousEnd)
    }

    /// Passes branches at the front that have received all of their bytes: libcurl may not have reported that yet, and
    /// the lead must not request received bytes, nor any behind the last one.
    func absorbFinished() {
        guard let segments else { return }
        while let claim = segments.plan.claimAtContiguousEnd,
            let branch = segments.branches.first(where: { $0.id == claim.id }), branch.position >= branch.end
        {
            guard branch.attempt?.hasOtherDigest != true else {
                core.transfer(id)?.connections.giveUpBranches()
                return
            }
            core.transfer(id)?.connections.end(branch, segments)
            _ = passFinished()
        }
    }

    /// Ends the branches at the front before the lead requests bytes there.
    func endBranchesAtContiguousEnd() {
        guard let segments else { return }
        _ = passFinished()
        while let claim = segments.plan.claimAtContiguousEnd {
            guard let branch = segments.branches.first(where: { $0.id == claim.id }) else { return }
            core.transfer(id)?.connections.end(branch, segments)
            _ = passFinished()
        }
    }

    // MARK: - Branches

    /// Returns the fields that request a range of the same version from a source.
    func branchFields(for range: Range<Int64>, of source: Int = 0) -> HeaderFields {
        var fields: HeaderFields = ["Accept-Encoding": "identity"]
        fields.append(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        guard let validator = metadata(of: source)?.strongValidator else { return fields }
        fields.append(name: asksByIfMatch && !isForeign(source) ? "If-Match" : "If-Range", value: validator.text)
        return fields
    }

    /// Whether bytes that a source sent instead of a range are the body's first ones.
    ///
    /// With a strong ETag, a file that repeats itself is more likely than a false range.
    func areFalse(_ bytes: UnsafeRawBufferPointer, of source: Int) -> Bool {
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(StreamSink.openingLength))
        if case .entityTag? = metadata(of: source)?.strongValidator, !FirstBytes.areNotifying(first) { return false }
        return begins(with: first)
    }
}
