import CCurl

/// The options of connections below HTTP.
extension EasyHandle {
    /// Sets the versions of TLS and the server that resolves names.
    func configure(_ transport: TransportTerms) throws(SessionError) {
        if transport.leastTLS != nil || transport.mostTLS != nil {
            try check(cc_set_long(raw, CURLOPT_SSLVERSION, transport.versionRange))
        }
        guard let service = transport.nameService else { return }
        let result = cc_set_string(raw, CURLOPT_DOH_URL, service)
        guard result == CURLE_OK else {
            throw SessionError(
                .invalidRequest, TransportErrors.nameServiceRefused, curlCode: Int(result.rawValue))
        }
    }
}

extension TransportTerms {
    /// The least and the most version in libcurl's format.
    fileprivate var versionRange: Int {
        let least = leastTLS == .tls13 ? Int(CURL_SSLVERSION_TLSv1_3) : Int(CURL_SSLVERSION_TLSv1_2)
        return switch mostTLS {
        case .tls12: least | Int(CURL_SSLVERSION_MAX_TLSv1_2)
        case .tls13: least | Int(CURL_SSLVERSION_MAX_TLSv1_3)
        case nil: least
        }
    }
}
