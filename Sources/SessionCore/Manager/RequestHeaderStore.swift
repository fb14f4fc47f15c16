import Support

/// Header fields that every new task of a manager gets unless its request has its own.
///
/// Many threads may read and write; a read is a snapshot, and a write has happened when the call returns. A class
/// because manager and user share it.
public final class RequestHeaderStore: Sendable {
    private let fields = Locked(HeaderFields())

    init() {}

    /// All fields at this moment.
    public var snapshot: HeaderFields { fields.withLock { $0 } }

    /// The value of a name, compared without regard to case.
    public func value(forHTTPHeaderField name: String) -> String? { fields.withLock { $0[name] } }

    /// Sets the value of a name; nil removes it.
    public func setValue(_ value: String?, forHTTPHeaderField name: String) { fields.withLock { $0[name] = value } }

    /// Adds what a request lacks.
    func complete(_ request: inout TransferRequest) {
        guard let snapshot = fields.withLock({ $0.isEmpty ? nil : $0 }) else { return }
        let own = request.headers
        for field in snapshot where own[field.name] == nil {
            request.headers.append(name: field.name, value: field.value)
        }
    }
}
