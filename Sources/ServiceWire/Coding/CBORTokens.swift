/// The values of a frame in their order, checked completely before the first is decoded.
///
/// An array or a map is followed by its members; each token knows where the value after it begins, so that a member can
/// be skipped without reading it. A class with memory of its own: half of the time for a row went into the reference
/// counts of arrays (100,000 rows: 0.9 s before, see `script/bench-ui service`).
final class CBORTokens {
    struct Token {
        var major: CBOR.Major
        /// The initial byte of a simple value.
        var initial: UInt8
        /// The number, the count of bytes or the count of members; the bits of a double.
        var argument: UInt64
        /// The offset of a text's first byte.
        var offset: Int
        /// The index of the token after this value and its members.
        var next: Int
    }

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let tokens: UnsafeMutableBufferPointer<Token>

    /// - Throws: ``CBOR/Malformed`` for anything but exactly one complete value.
    init(_ bytes: [UInt8], from start: Int = 0) throws(CBOR.Malformed) {
        let found = try Self.tokens(bytes, from: start)
        self.bytes = .allocate(capacity: bytes.count)
        _ = self.bytes.initialize(from: bytes)
        tokens = .allocate(capacity: found.count)
        _ = tokens.initialize(from: found)
    }

    deinit {
        bytes.deallocate()
        tokens.deallocate()
    }

    subscript(index: Int) -> Token { tokens[index] }

    /// The text of a token; nil for another value, and for one that is not UTF-8.
    func text(_ index: Int) -> String? {
        guard let bytes = bytes(of: tokens[index]) else { return nil }
        // The library's `String(validating:as:)` took a quarter of the time for a row.
        let text = String(decoding: bytes, as: UTF8.self)
        return Self.areEqual(text, bytes) ? text : nil
    }

    /// Whether the token is a certain text.
    func isText(_ index: Int, _ text: String) -> Bool {
        bytes(of: tokens[index]).map { Self.areEqual(text, $0) } ?? false
    }

    private static func areEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var text = text
        return text.withUTF8 { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }

    private func bytes(of token: Token) -> UnsafeBufferPointer<UInt8>? {
        guard token.major == .text else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[token.offset..<token.offset + Int(token.argument)])
    }

    private static func tokens(_ bytes: [UInt8], from start: Int) throws(CBOR.Malformed) -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity((bytes.count - start) / 6)
        var offset = start
        // The tokens of open arrays and maps, and how many values each still needs.
        var open: [(index: Int, rest: UInt64)] = []
        repeat {
            let token = try token(bytes, &offset, index: tokens.count)
            tokens.append(token)
            if token.major == .array || token.major == .map, token.argument > 0 {
                // Each member takes a byte at least, so that a count beyond the frame is refused here.
                let members = token.argument.multipliedReportingOverflow(by: token.major == .map ? 2 : 1)
                guard !members.overflow, members.partialValue <= UInt64(bytes.count - offset),
                    open.count < CBOR.depthLimit
                else { throw CBOR.Malformed(offset: offset) }
                open.append((tokens.count - 1, members.partialValue))
                continue
            }
            while let last = open.last {
                open[open.count - 1].rest -= 1
                if last.rest > 1 { break }
                tokens[last.index].next = tokens.count
                open.removeLast()
            }
        } while !open.isEmpty
        guard offset == bytes.count else { throw CBOR.Malformed(offset: offset) }
        return tokens
    }

    private static func token(
        _ bytes: [UInt8], _ offset: inout Int, index: Int
    ) throws(CBOR.Malformed) -> Token {
        guard offset < bytes.count else { throw CBOR.Malformed(offset: offset) }
        let start = offset
        let initial = bytes[offset]
        offset += 1
        guard let major = CBOR.Major(rawValue: initial >> 5) else { throw CBOR.Malformed(offset: start) }
        let argument = try argument(initial & 0x1F, bytes, &offset)
        var token = Token(major: major, initial: initial, argument: argument, offset: offset, next: index + 1)
        switch major {
        case .unsigned, .array, .map: break
        case .negative: guard argument <= UInt64(Int64.max) else { throw CBOR.Malformed(offset: start) }
        case .text:
            guard argument <= UInt64(bytes.count - offset) else { throw CBOR.Malformed(offset: start) }
            offset += Int(argument)
        case .simple:
            let isKnown = initial == CBOR.no || initial == CBOR.yes || initial == CBOR.null || initial == CBOR.double
            guard isKnown else { throw CBOR.Malformed(offset: start) }
        case .bytes, .tag: throw CBOR.Malformed(offset: start)
        }
        token.next = index + 1
        return token
    }

    private static func argument(
        _ information: UInt8, _ bytes: [UInt8], _ offset: inout Int
    ) throws(CBOR.Malformed) -> UInt64 {
        guard information >= 24 else { return UInt64(information) }
        guard information <= 27 else { throw CBOR.Malformed(offset: offset) }
        let count = 1 << Int(information - 24)
        guard count <= bytes.count - offset else { throw CBOR.Malformed(offset: offset) }
        var number: UInt64 = 0
        for index in offset..<offset + count { number = number << 8 | UInt64(bytes[index]) }
        offset += count
        return number
    }
}
