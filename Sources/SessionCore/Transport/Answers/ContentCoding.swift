import CCurl
import SessionSupport

/// A content coding that data requests ask for and that is decoded (RFC 9110, 8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip, deflate
    case brotli = "br"
    case zstd

    /// The most nested codings.
    private static let stackLimit = 2

    /// The value of `Accept-Encoding` with every supported coding.
    static let offer = allCases.map(\.rawValue).joined(separator: ", ")

    var raw: cc_coding {
        switch self {
        case .gzip: CC_CODING_GZIP
        case .deflate: CC_CODING_DEFLATE
        case .brotli: CC_CODING_BROTLI
        case .zstd: CC_CODING_ZSTD
        }
    }

    /// Returns the codings of a response's body in the order in which they were applied.
    ///
    /// Throws `badResponse` for an unsupported one, which was not requested either.
    static func codings(of head: ResponseHead) throws(SessionError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in head.headers["Content-Encoding"].map({ CodingNames($0).codings }) ?? [] {
            guard let coding = ContentCoding(rawValue: name) else {
                throw SessionError(
                    .badResponse, ResponseErrors.unknownCoding(name), failingURL: head.url,
                    statusCode: head.statusCode)
            }
            codings.append(coding)
        }
        guard codings.count <= stackLimit else {
            throw SessionError(
                .badResponse, ResponseErrors.tooManyCodings(stackLimit), failingURL: head.url,
                statusCode: head.statusCode)
        }
        return codings
    }
}

/// Limits how much a body may grow when it is decoded: one that is small on the line could fill a disk.
struct DecodingLimit {
    /// The decoded bytes up to which the ratio is not checked.
    private static let free: Int64 = 16 << 20
    /// The greatest ratio of decoded to received bytes of a larger body.
    private static let ratio: Int64 = 100

    /// The bytes received.
    var sent: Int64 = 0
    /// The bytes decoded.
    var unpacked: Int64 = 0

    /// The error for a body that has grown too much; nil otherwise.
    var refusal: SessionError? {
        guard unpacked > Self.free, unpacked / Self.ratio > sent else { return nil }
        return SessionError(.bodyTooLarge, ResponseErrors.expanded(Self.free >> 20, Self.ratio))
    }
}
