/// Takes the rest of a body, and fails on any byte more.
final class LimitedSink: BodySink {
    private let end: StreamSink
    private var allowance: Int64
    /// What its first bytes must be; nil once checked.
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
        // Surplus bytes belong to no request.
        return .failed(SessionError(.badResponse, ResponseErrors.moreThanRest))
    }
}

/// What the first bytes of a rest must be before any is passed on: a repetition of the last delivered ones if
/// requested, and never the body's first ones.
struct RestBeginning {
    /// Whether no strong ETag proves the rest.
    let isDoubted: Bool
    /// The bytes that still have to be repeated.
    private var repeated: ArraySlice<UInt8>

    init(isDoubted: Bool, repeating bytes: [UInt8] = []) {
        self.isDoubted = isDoubted
        repeated = bytes[...]
    }

    /// The error of a response that names a range and sends other bytes.
    static let isFalse = SessionError(
        .badResponse, ResponseErrors.lost(ResponseErrors.falseRest))

    /// Removes the bytes that are only compared, and clears the beginning once it is checked; returns nil if it
    /// differs.
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
