import SessionSupport

/// The digests of a transfer's body that are known, for as long as the body has the same content.
///
/// A class, so that the transfers without any carry only a reference.
final class BodyDigests {
    /// A range of the body, and how it is hashed.
    struct Subject: Sendable, Hashable {
        var range: Range<Int64>
        var algorithm: Checksum.Algorithm
    }

    let content: UploadContent
    private var known: [Subject: [UInt8]] = [:]

    init(_ content: UploadContent) { self.content = content }

    subscript(subject: Subject) -> [UInt8]? {
        get { known[subject] }
        set { known[subject] = newValue }
    }
}

/// The header fields with digests that a request has (RFC 9530).
struct DigestFields: Sendable, Equatable {
    var algorithm: BodyDigestAlgorithm
    /// The bytes of this request, for `Content-Digest`.
    var piece: Range<Int64>
    /// The complete body, for `Repr-Digest`; nil for a request whose body is not the resource's new content or a part
    /// of it.
    var whole: Range<Int64>?

    /// Returns the ranges to be hashed, each once.
    var subjects: [BodyDigests.Subject] {
        let ranges = whole == nil || whole == piece ? [piece] : [piece, whole].compactMap(\.self)
        return ranges.map { BodyDigests.Subject(range: $0, algorithm: algorithm.checksum) }
    }

    /// Returns the fields whose digests are known, except the ones that the request has already.
    func fields(_ digests: BodyDigests?, own: HeaderFields) -> HeaderFields {
        var fields = HeaderFields()
        for (name, range) in [("Content-Digest", piece), ("Repr-Digest", whole)] {
            guard let range, own[name] == nil,
                let digest = digests?[BodyDigests.Subject(range: range, algorithm: algorithm.checksum)]
            else { continue }
            fields.append(name: name, value: "\(algorithm.rawValue)=:\(Base64.encode(digest)):")
        }
        return fields
    }
}

extension BodyDigestAlgorithm {
    fileprivate var checksum: Checksum.Algorithm {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
