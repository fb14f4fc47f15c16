import CCurl

/// Decodes a content coding in front of a body's sink.
///
/// It decodes no more than its buffer holds before the sink takes that, so that neither a pause nor an endlessly
/// growing body costs memory. Confined to the transfer loop.
final class DecodingSink: BodySink {
    private static let bufferSize = 64 << 10

    /// The limit that the codings of one body share.
    private final class Account {
        var limit = DecodingLimit()
    }

    private var destination: any BodySink
    private let coding: ContentCoding
    private let decoder: OpaquePointer
    private let account: Account
    /// Whether the coding was applied last, so that it decodes the received bytes, and whether it was applied first.
    private let isOuter: Bool, isInner: Bool
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
    /// Bytes in the buffer that the sink has not taken yet.
    private var pending = 0
    /// Bytes offered again that were decoded already.
    private var alreadyRead = 0

    private init(
        _ coding: ContentCoding, _ destination: any BodySink, _ account: Account, isOuter: Bool, isInner: Bool
    ) throws(SessionError) {
        guard let decoder = cc_decoder_create(coding.raw) else {
            throw SessionError(.internal, ResponseErrors.undecodable(coding.rawValue))
        }
        self.decoder = decoder
        (self.coding, self.destination, self.account) = (coding, destination, account)
        (self.isOuter, self.isInner) = (isOuter, isInner)
    }

    deinit {
        cc_decoder_free(decoder)
        buffer.deallocate()
    }

    /// Returns a sink that decodes codings, given in the order in which they were applied, in front of another sink.
    static func undoing(_ codings: [ContentCoding], before sink: any BodySink) throws(SessionError) -> any BodySink {
        let account = Account()
        var result = sink
        for (index, coding) in codings.enumerated() {
            result = try DecodingSink(
                coding, result, account, isOuter: index == codings.count - 1, isInner: index == 0)
        }
        return result
    }

    /// Whether the codings' end marks have arrived, or nothing at all.
    var isComplete: Bool {
        pending == 0 && cc_decoder_is_whole(decoder) && (destination as? DecodingSink)?.isComplete ?? true
    }

    /// The sink of the decoded body.
    var end: any BodySink {
        get { (destination as? DecodingSink)?.end ?? destination }
        set { if let next = destination as? DecodingSink { next.end = newValue } else { destination = newValue } }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        let skipped = min(alreadyRead, bytes.count)
        let later = alreadyRead - skipped
        var read = skipped
        while true {
            if pending > 0 {
                let result = destination.receive(UnsafeRawBufferPointer(rebasing: buffer[..<pending]))
                guard result == .received else {
                    alreadyRead = later + read
                    return result
                }
                pending = 0
            }
            var (count, written) = (0, 0)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[read...])
            let isValid = cc_decoder_run(
                decoder, rest.bindMemory(to: UInt8.self).baseAddress, rest.count, &count,
                buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, &written)
            // Bytes that the decoder neither reads nor turns into output do not belong to the coding.
            guard isValid, count > 0 || written > 0 || rest.isEmpty else {
                return .failed(SessionError(.badResponse, ResponseErrors.invalidCoding(coding.rawValue)))
            }
            read += count
            pending = written
            if isOuter { account.limit.sent += Int64(count) }
            if isInner { account.limit.unpacked += Int64(written) }
            if let refusal = account.limit.refusal { return .failed(refusal) }
            if written == 0, read == bytes.count { break }
        }
        alreadyRead = later
        return .received
    }
}

@available(*, unavailable)
extension DecodingSink: Sendable {}
