/// One transfer as the store of a persistent session keeps it: enough to show it and to go on with it in a later run.
///
/// Secrets are never part of it. A request whose URL or header fields held some has ``needsCredentials`` set: its text
/// here is for showing, and going on takes the full request again.
public struct StoredTransfer: Sendable, Equatable {
    /// Names the transfer in every run.
    public var id: TransferID
    /// What it is.
    public var kind: TransferKind
    /// The request, without secrets.
    public var request: TransferRequest
    /// Whether secrets were left out, so that only its user can start it again.
    public var needsCredentials: Bool
    /// Where the response body goes.
    public var destination: Destination
    /// What was last asked for.
    public var wanted: Wanted
    /// Whether it was ever resumed: a request that must not be repeated may have reached its server.
    public var wasStarted: Bool
    /// How far it is.
    public var standing: Standing
    /// The body bytes that were moved, at most a second old.
    public var counts: Counts
    /// The part that was kept when the transfer last stopped, as far as it is known here.
    public var partPath: String?
    /// The finished file.
    public var filePath: String?
    /// The user's own words for it.
    public var label: String?
    /// Its place among the others: lower ones come first.
    public var position: Int64
    /// When it was created, in seconds since 1970.
    public var createdAt: Double
    /// When it ended, in seconds since 1970.
    public var finishedAt: Double?

    /// A transfer that has not begun.
    ///
    /// The request is taken as it is; what leads to the store removes its secrets first.
    public init(
        id: TransferID, kind: TransferKind, request: TransferRequest, needsCredentials: Bool = false,
        destination: Destination = .memory, createdAt: Double
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        self.needsCredentials = needsCredentials
        self.destination = destination
        self.createdAt = createdAt
        wanted = .paused
        wasStarted = false
        standing = .unfinished
        counts = Counts()
        position = Int64(clamping: id.rawValue)
    }
}
