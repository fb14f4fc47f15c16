/// A consistent picture of one transfer at one moment, ready to be shown.
///
/// The session bridge makes them; the model replaces the row of the same id. Counts are bytes of body that belong
/// together. What only the details show is asked for when they are shown. Its numbers can be used as if they were its
/// own properties.
@dynamicMemberLookup
struct RowSnapshot: Sendable, Equatable {
    /// Everything of it that is a number.
    var figures: RowFigures
    /// What the table calls it: a file's name, `backup.tar → /ingest`, `GET /v2/orders`.
    var name: SafeText
    var url: SafeText
    var host: SafeText = .empty
    var method: SafeText = "GET"
    /// One sentence of cause, when it failed or waits for another attempt.
    var error: SafeText?
    /// Where the bytes go or come from.
    var path: SafeText?
    /// `h1`, `h2`, or empty before a response.
    var protocolName: SafeText = .empty

    init(id: UInt64, kind: Job.Kind, name: SafeText, url: SafeText) {
        figures = RowFigures(id: id, kind: kind)
        self.name = name
        self.url = url
    }

    subscript<Value>(dynamicMember member: KeyPath<RowFigures, Value>) -> Value { figures[keyPath: member] }

    subscript<Value>(dynamicMember member: WritableKeyPath<RowFigures, Value>) -> Value {
        get { figures[keyPath: member] }
        set { figures[keyPath: member] = newValue }
    }
}
