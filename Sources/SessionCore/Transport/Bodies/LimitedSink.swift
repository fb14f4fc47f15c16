/// Takes the rest of a body, and no byte more.
final class LimitedSink: BodySink {
    private let end: StreamSink
    private var allowance: Int64
    /// What its first bytes have to be; nil once they were.
    private var beginning: RestBeginning?

    init(_ end: StreamSink, limit: Int64, beginning: RestBeginning) {
        self.end = end
        allowance = limit
        self.beginning = beginning
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        var chunk = bytes
        if beginning != nil {
            guard end.hasRoom else { return .wait }
            guard let rest = RestBeginning.take(from: bytes, &beginning, end) else {
                return .failed(RestBeginning.isFalse)
            }
            chunk = rest
        }
        guard Int64(chunk.count) > allowance else {
            let result = end.receive(chunk)
            if result == .received { allowance -= Int64(chunk.count) }
            return result
        }
        // What is too much belongs to nothing that was asked for.
        return .failed(SessionError(.badResponse, ResponseErrors.moreThanRest))
    }
}

/// What the first bytes of a rest have to be before any of it is passed on: the last ones that were, where they were asked
/// for, and not the body's first ones.
struct RestBeginning {
    /// Whether no strong tag vouches for it.
    let isDoubted: Bool
    /// What has to be repeated yet.
    private var repeated: ArraySlice<UInt8>

    init(isDoubted: Bool, repeating bytes: [UInt8] = []) {
        self.isDoubted = isDoubted
        repeated = bytes[...]
    }

    /// What an answer is that names a range and brings other bytes.
    static let isFalse = SessionError(
        .badResponse, ResponseErrors.lost(ResponseErrors.falseRest))

    /// Takes what is only compared off the first bytes, and forgets the beginning once it was seen; nil where it is another
    /// one.
    static func take(
        from bytes: UnsafeRawBufferPointer, _ beginning: inout RestBeginning?, _ stream: StreamSink
    ) -> UnsafeRawBufferPointer? {
        guard let expected = beginning else { return bytes }
        if expected.repeated.isEmpty {
            beginning = nil
            return stream.areFalse(bytes, isDoubted: expected.isDoubted) ? nil : bytes
        }
        let count = min(bytes.count, expected.repeated.count)
        guard bytes.prefix(count).elementsEqual(expected.repeated.prefix(count)) else { return nil }
        let isOver = count == expected.repeated.count
        if isOver { beginning = nil } else { beginning?.repeated.removeFirst(count) }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
    }
}
