import CCurl
import SessionSupport

/// A content coding that bodies of data requests are asked for in, and are undone from (RFC 9110, 8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip, deflate
    case brotli = "br"
    case zstd

    /// The most codings on top of each other.
    private static let stackLimit = 2

    /// The value of `Accept-Encoding` that asks for every coding that can be undone.
    static let offer = allCases.map(\.rawValue).joined(separator: ", ")

    var raw: cc_coding {
        switch self {
        case .gzip: CC_CODING_GZIP
        case .deflate: CC_CODING_DEFLATE
        case .brotli: CC_CODING_BROTLI
        case .zstd: CC_CODING_ZSTD
        }
    }

    /// The codings of an answer's body in the order in which they were applied.
    ///
    /// Throws `badResponse` for one that cannot be undone, which was not asked for either.
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

/// How far a body may grow while its codings are undone: one that is small on the line could fill a disk.
struct DecodingLimit {
    /// The bytes up to which nobody asks how many came for them.
    private static let free: Int64 = 16 << 20
    /// How many times what came a larger body may be.
    private static let ratio: Int64 = 100

    /// The bytes that came.
    var sent: Int64 = 0
    /// The bytes that were made of them.
    var unpacked: Int64 = 0

    /// What is said of a body that has grown too much; nil while it has not.
    var refusal: SessionError? {
        guard unpacked > Self.free, unpacked / Self.ratio > sent else { return nil }
        return SessionError(.bodyTooLarge, ResponseErrors.expanded(Self.free >> 20, Self.ratio))
    }
}
