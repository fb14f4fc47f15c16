/// A handler of a body that several connections bring: a file, or what is passed on in order.
///
/// What is here is the part of it that is the same for both: the lead comes to what others have brought, and answers of
/// branches are judged.
protocol SegmentedHandler: ResponseHandler {
    var core: LoopCore { get }
    var id: TransferID { get }
    var request: TransferRequest { get }
    /// Whether there is a place for what branches bring.
    var takesBranches: Bool { get }
    /// Whether an answer to a further connection contradicted the lead's, after which none is made any more.
    var hasContradicted: Bool { get set }
    /// Whether bytes of branches are in the body.
    var hasBranched: Bool { get set }
    /// Whether the current attempt has brought anything.
    var hasNewFront: Bool { get }
    /// Whether ranges are asked for with `If-Match`.
    var asksByIfMatch: Bool { get }
    /// Whether every range is compared with what it joins, whatever vouches for it.
    var comparesAlways: Bool { get }

    /// Where the lead's answer ends; 0 where nobody knows.
    var answerEnd: Int64 { get }

    /// What proves the answers of a source; nil where nothing does.
    func facts(of source: Int) -> StoredFacts?
    /// Whether a source is another one than that which began the body.
    func isForeign(_ source: Int) -> Bool
    /// Whether the body begins with some bytes: a script that sends the fields of a range, and then the file from its first
    /// byte, is told by them.
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool
    /// Whether bytes are what stands at a place.
    func stand(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool
    /// A server has sent other bytes than it named: every range is compared from now on.
    func compareAlways()
    /// Gets ready for bytes beyond the front; false where there can be none.
    func expectBranches() -> Bool
    /// What further connections are to bring, up to a number of them.
    func claims(_ count: Int, own: Int64?) -> [SegmentPlan.Claim]
    /// Takes what a branch has gathered; answers the error when it cannot.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SessionError?
    /// A branch has put bytes up to a place, and the plan knows of them.
    func branchWrote(upTo place: Int64)
    /// Goes on behind bytes that others have brought.
    func goOn(behind front: Int64) -> SessionError?
    /// Lets the current answer go as far as nobody else's bytes come.
    func boundLead()
    /// What others have brought beyond the front is not counted on any more.
    func forgetBeyond()
    /// A branch has become the lead.
    func takeOver(_ branch: SegmentBranch, _ attempt: Attempt)
}

extension SegmentedHandler {
    /// Ends branches into whose claims the lead has come before they were answered: it does not wait for them.
    func dropOverrun() {
        guard let segments else { return }
        for branch in segments.branches where !branch.isAccepted && branch.asked.lowerBound < front {
            core.transfer(id)?.end(branch, segments)
        }
    }

    /// Lets the lead go on through what branches have brought: since an answer has contradicted it, its own may be the last
    /// of this version.
    func readThrough() {
        guard let segments, segments.mayReadThrough(upTo: answerEnd) else { return }
        segments.plan.forgetFinished()
        forgetBeyond()
    }

    /// Goes on behind bytes that others have brought, when the lead has come to some.
    func passFinished() -> SessionError? {
        guard let segments, takesBranches else { return nil }
        dropOverrun()
        segments.bringUpToDate(lead: front)
        guard segments.plan.leadEnd == front else { return nil }
        if let error = compareJoins() { return error }
        segments.plan.absorb()
        // Whoever goes on does so elsewhere.
        return goOn(behind: segments.plan.front)
    }

    /// Steps over branches at the front that have brought all of theirs: libcurl may have to say so yet, and the lead must not
    /// ask for what is here, nor for what would follow the last byte.
    func absorbFinished() {
        guard let segments else { return }
        while let claim = segments.plan.claimAtFront,
            let branch = segments.branches.first(where: { $0.id == claim.id }), branch.position >= branch.end
        {
            core.transfer(id)?.end(branch, segments)
            _ = passFinished()
        }
    }

    /// Before the lead asks for what comes at the front: nobody else may have begun there.
    func clearFrontForLead() {
        guard let segments else { return }
        _ = passFinished()
        while let claim = segments.plan.claimAtFront {
            guard let branch = segments.branches.first(where: { $0.id == claim.id }) else { return }
            core.transfer(id)?.end(branch, segments)
            _ = passFinished()
        }
    }

    // MARK: - Branches

    /// The fields that ask a source for bytes of the same version.
    func branchFields(for range: Range<Int64>, of source: Int = 0) -> HeaderFields {
        var fields: HeaderFields = ["Accept-Encoding": "identity"]
        fields.append(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        guard let validator = facts(of: source)?.strongValidator else { return fields }
        fields.append(name: asksByIfMatch && !isForeign(source) ? "If-Match" : "If-Range", value: validator.text)
        return fields
    }

    /// Whether bytes that a source has sent in place of a range are the body's first ones.
    ///
    /// Where a strong tag vouches for the source, a file that repeats itself is nearer than a lie.
    func areFalse(_ bytes: UnsafeRawBufferPointer, of source: Int) -> Bool {
        let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(StreamSink.openingLength))
        if case .entityTag? = facts(of: source)?.strongValidator, !FirstBytes.areNotifying(first) { return false }
        return begins(with: first)
    }
}
