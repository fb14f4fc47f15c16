import CCurl

/// The transfer behind the connections beside its lead, called on the transfer loop.
protocol DownloadOwner: AttemptOwner {
    var id: TransferID { get }
    var core: LoopCore { get }
    var control: TransferControl { get }
    var handler: any ResponseHandler { get }
    /// The lead's attempt; nil between two.
    var attempt: Attempt? { get }
    /// The server of the transfer's own request at present.
    var leadTarget: RequestTarget { get }
    /// Whether the request goes to the origin whose slot the transfer has.
    var asksItsHost: Bool { get }
    /// Whether the lead's response was accepted and its body moves.
    var isTransferring: Bool { get }
    /// Whether a pause keeps the lead from reading.
    var isHolding: Bool { get }

    /// Begins a branch's or a probe's attempt.
    ///
    /// - Parameters:
    ///   - fields: the fields beyond the request's own.
    ///   - target: its server and request; nil for the lead's.
    func begin(_ work: Attempt.Work, adding fields: HeaderFields, to target: RequestTarget?) throws(SessionError)
        -> Attempt
    /// Unlinks an attempt from its owner; must not be called inside libcurl's callbacks.
    func letGo(_ attempt: Attempt)
    /// Returns the error for a branch or a probe that failed in libcurl.
    func furtherError(of attempt: Attempt, _ result: CURLcode, systemError: Int) -> SessionError
    /// Reports to the host's board what a failed attempt says about it.
    func tellHost(of error: SessionError, _ attempt: Attempt, askedWait: Int64?)
    /// Fails the transfer.
    func fail(_ error: SessionError)
    /// Records that the lead's source has failed.
    func leadFailed()
    /// Returns to the URL of the lead's source for the next attempt.
    func startOver()
}
