public import Foundation
import FoundationNetworking

extension SessionError: LocalizedError {
    /// The message, so that it is also what Foundation shows of this error.
    public var errorDescription: String? { message }
}

/// The bridge to Foundation's error.
extension SessionError {
    /// Foundation's error of the same meaning, for code that knows `URLError`.
    ///
    /// A server that is not trusted is `serverCertificateUntrusted` (-1202); what Foundation has no code for is
    /// `unknown`. The userInfo names the failing URL and, under ``peerCertificatesKey``, the refused chain, each only
    /// where it is known, and has this error as the underlying one.
    public var urlError: URLError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: foundationMessage, NSUnderlyingErrorKey: self]
        if let failingURL {
            info["NSErrorFailingURLStringKey"] = failingURL
            if let url = URL(string: failingURL) { info[NSURLErrorFailingURLErrorKey] = url }
        }
        if !peerCertificates.isEmpty { info[Self.peerCertificatesKey] = peerCertificates.map { Data($0) } }
        return URLError(foundationCode, userInfo: info)
    }

    /// The chain of a server that is not trusted: an array of `Data` in DER form, the server's own certificate first.
    public static let peerCertificatesKey = "NSURLErrorFailingURLPeerTrustErrorKey"

    private var foundationMessage: String {
        guard code == .certificate, let host = failingURL.flatMap({ try? ParsedURL($0) })?.host else { return message }
        return "The certificate of “\(host)” is not trusted; the server may only pretend to be “\(host)”"
    }

    private var foundationCode: URLError.Code {
        switch code {
        case .cancelled: .cancelled
        case .invalidURL, .invalidRequest, .invalidHeader: .badURL
        case .unsupportedScheme: .unsupportedURL
        case .bodyUnreadable, .notReplayable: .requestBodyStreamExhausted
        case .unknownHost: .cannotFindHost
        case .connectionRefused: .cannotConnectToHost
        case .networkUnreachable: .notConnectedToInternet
        case .connectionLost, .truncated: .networkConnectionLost
        case .timedOut, .stalled: .timedOut
        case .tls: .secureConnectionFailed
        case .certificate: .serverCertificateUntrusted
        case .badResponse, .http, .unexpectedContent: .badServerResponse
        case .tooManyRedirects: .httpTooManyRedirects
        case .redirectRefused: .redirectToNonExistentLocation
        case .authenticationRequired: .userAuthenticationRequired
        case .noContent: .zeroByteResource
        case .bodyTooLarge: .dataLengthExceedsMaximum
        case .checksum, .resourceChanged: .cannotDecodeContentData
        case .destinationExists, .destinationIsFolder, .partInUse: .cannotCreateFile
        case .permission, .readOnly: .noPermissionsToReadFile
        case .notFound: .fileDoesNotExist
        case .diskFull, .fileTooLarge, .storage, .partChanged: .cannotWriteToFile
        case .sessionInvalidated: .unknown
        case .sessionInUse: .backgroundSessionInUseByAnotherProcess
        case .internal: .unknown
        }
    }
}
