/// A consistent picture of one transfer at one moment, ready to be shown.
///
/// The session bridge makes them; the model replaces the row of the same id. Counts are bytes of body that belong
/// together. What only the details show is asked for when they are shown. Its numbers can be used as if they were its
/// own properties.
@dynamicMemberLookup
package struct RowSnapshot: Sendable, Equatable {
    /// Everything of it that is a number.
    package var figures: RowFigures
    /// What the table calls it: a file's name, `backup.tar → /ingest`, `GET /v2/orders`.
    package var name: SafeText
    package var url: SafeText
    package var host: SafeText = .empty
    package var method: SafeText = "GET"
    /// One sentence of cause, when it failed or waits for another attempt.
    package var error: SafeText?
    /// Where the bytes go or come from.
    package var path: SafeText?
    /// `h1`, `h2`, or empty before a response.
    package var protocolName: SafeText = .empty

    package init(id: UInt64, kind: Job.Kind, name: SafeText, url: SafeText) {
        figures = RowFigures(id: id, kind: kind)
        self.name = name
        self.url = url
    }

    package subscript<Value>(dynamicMember member: KeyPath<RowFigures, Value>) -> Value { figures[keyPath: member] }

    package subscript<Value>(dynamicMember member: WritableKeyPath<RowFigures, Value>) -> Value {
        get { figures[keyPath: member] }
        set { figures[keyPath: member] = newValue }
    }
}
