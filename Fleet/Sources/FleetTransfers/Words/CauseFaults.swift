internal import SessionCore

/// The kinds of causes of failed downloads, which are the same for all files.
enum CauseFaults {
    static func kind(of code: SessionError.Code) -> String { table[code] ?? "failed: \(code.rawValue)" }

    static let otherFile = "destination exists with other content"

    private static let table: [SessionError.Code: String] = [
        .unknownHost: "unknown host", .connectionRefused: "connection refused",
        .networkUnreachable: "network unreachable", .connectionLost: "connection lost", .timedOut: "timed out",
        .stalled: "stalled", .tls: "TLS failed", .certificate: "certificate not trusted",
        .badResponse: "invalid response", .tooManyRedirects: "too many redirects",
        .redirectRefused: "redirect refused", .noContent: "no content", .truncated: "truncated",
        .resourceChanged: "changed on the server", .unexpectedContent: "unexpected content",
        .partChanged: "partial file changed", .partInUse: "partial file in use", .bodyTooLarge: "file too large",
        .fileTooLarge: "file too large", .checksum: "wrong checksum", .destinationExists: "destination exists",
        .destinationIsFolder: "destination is a folder", .permission: "no permission",
        .notFound: "file or folder missing", .diskFull: "disk full", .readOnly: "read-only file system",
        .storage: "file system failed", .invalidURL: "invalid URL", .invalidHeader: "invalid header",
        .invalidRequest: "invalid request",
    ]
}
