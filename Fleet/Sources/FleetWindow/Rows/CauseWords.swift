internal import TransferService

/// The words by which a worker's sentence tells its cause.
enum CauseWords {
    /// The cause of a failure, from a sentence in lower case.
    static func cause(in text: String) -> Cause { table.first { text.contains($0.word) }?.cause ?? .internal }

    private static let table: [(word: String, cause: Cause)] = [
        ("checksum", .checksum), ("timed out", .timedOut), ("stalled", .stalled), ("certificate", .certificate),
        ("tls", .tls), ("refused", .connectionRefused), ("resolve", .unknownHost), ("unknown host", .unknownHost),
        ("reset", .connectionLost), ("connection", .connectionLost), ("exists", .destinationExists),
        ("disk", .diskFull), ("redirect", .tooManyRedirects), ("truncated", .truncated), ("lease", .connectionLost),
    ]
}
