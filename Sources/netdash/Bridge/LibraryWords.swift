import Dashboard
import SessionCore
import SessionSupport

// The words of jobs and those of the library, with both directions in one place.

extension Job.Kind {
    var transferKind: TransferKind {
        switch self {
        case .data: .data
        case .upload: .upload
        case .download: .download
        }
    }

    init(_ kind: TransferKind) {
        switch kind {
        case .data: self = .data
        case .upload: self = .upload
        case .download: self = .download
        }
    }
}

extension Job.IfExists {
    var collision: DownloadTarget.Collision {
        switch self {
        case .rename: .rename
        case .skip: .skip
        case .overwrite: .overwrite
        case .refresh: .refresh
        case .fail: .fail
        }
    }

    init(_ collision: DownloadTarget.Collision) {
        switch collision {
        case .rename: self = .rename
        case .skip: self = .skip
        case .overwrite: self = .overwrite
        case .refresh: self = .refresh
        case .fail: self = .fail
        }
    }
}

extension Job.Checksum {
    var libraryChecksum: Checksum {
        let digits = hex.utf8.compactMap { ByteText.hexadecimalValue($0) }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return Checksum(algorithm: algorithm.libraryAlgorithm, digest: bytes)
    }

    init(_ checksum: Checksum) {
        self.init(algorithm: Algorithm(checksum.algorithm), hex: ByteText.hexadecimal(checksum.digest))
    }
}

extension Job.Checksum.Algorithm {
    fileprivate var libraryAlgorithm: Checksum.Algorithm {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .sha1: .sha1
        case .md5: .md5
        }
    }

    fileprivate init(_ algorithm: Checksum.Algorithm) {
        switch algorithm {
        case .sha256: self = .sha256
        case .sha512: self = .sha512
        case .sha1: self = .sha1
        case .md5: self = .md5
        }
    }
}

extension Continuation {
    init(_ resumability: Resumability) {
        switch resumability {
        case .no: self = .no
        case .unknown: self = .unknown
        case .yes: self = .yes
        }
    }
}

extension HeldServer {
    /// A host that the library holds, by the name that its rows have for it.
    init(_ host: HeldHost) {
        let cause = host.reason == .noNetwork ? Cause.noNetwork : Cause(rawValue: host.cause.rawValue) ?? .timedOut
        self.init(
            host: Self.name(host.origin), way: Self.way(host.way), unreached: host.unreached.map(Self.name),
            cause: cause, statusCode: host.statusCode, askedAgainAt: host.askedAgainAt)
    }

    /// The name that rows have for a way; empty for the ordinary one.
    static func way(_ way: String?) -> SafeText { way.map { SafeText(untrusted: $0) } ?? .empty }

    /// The name that rows have for an origin: its host, and its port where that is not the usual one.
    static func name(_ origin: String) -> SafeText {
        let scan = URLScan(origin)
        guard let place = scan.host else { return SafeText(untrusted: origin) }
        let usual = origin.hasPrefix("https:") ? "443" : "80"
        let end = scan.port.map { origin[$0] == usual ? place.upperBound : $0.upperBound }
        return SafeText(untrusted: String(origin[place.lowerBound..<(end ?? place.upperBound)]))
    }
}
