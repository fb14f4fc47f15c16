import SessionSupport

/// Hosts that cannot be reached, and connections that broke.
enum TransportErrors {
    static func hostUnknown(_ host: String) -> String { "Could not resolve host: \(host)" }
    static func hostUnknown(_ host: String, to service: String) -> String {
        "Could not resolve host: \(host) (through \(service))"
    }
    static let nameServiceRefused = "This libcurl cannot resolve names over HTTPS"
    static func noCommonTLS(_ host: String) -> String { "No TLS version in common with \(host)" }
    static func proxyUnknown(_ proxy: String) -> String { "Could not resolve the name of \(proxy)" }
    static func hostUnknownHere(_ host: String) -> String {
        "Could not resolve \(host); socks5h:// resolves on the proxy"
    }
    static func refused(_ host: String) -> String { "Connection refused by \(host)" }
    static func refusedToProxy(_ host: String) -> String { "Connection from the proxy refused by \(host)" }
    static func noRoute(_ host: String) -> String { "No route to \(host)" }
    static func noRouteFrom(_ proxy: String, to host: String) -> String { "No route from \(proxy) to \(host)" }
    static func failed(_ host: String) -> String { "Could not connect to \(host)" }
    static func failedThrough(_ proxy: String, to host: String) -> String {
        "Could not connect to \(host) through \(proxy)"
    }
    static func tooManyFiles(_ host: String) -> String { "Could not connect to \(host): \(FileReasons.tooManyFiles)" }
    static func timedOut(_ host: String) -> String { "Timed out waiting for \(host)" }
    static func noNetwork(_ reason: String) -> String { "No network: \(reason)" }
    static let interfaceUnknown = "Network interface to connect from does not exist"
    static func interfaceUnknown(_ name: String) -> String { "No interface or address \(name) on this machine" }
    static func socketUnused(_ path: String) -> String { "No listener on socket \(path)" }
    static func socketFailed(_ path: String) -> String { "Could not connect to socket \(path)" }
    static func socketFailed(_ path: String, _ reason: String) -> String {
        "Could not connect to socket \(path): \(reason)"
    }

    // MARK: - Proxies

    static func proxyCredentials(_ proxy: String) -> String { "Proxy authentication required by \(proxy)" }
    static func proxyForbids(_ proxy: String, _ host: String) -> String {
        "Connections to \(host) forbidden by \(proxy)"
    }
    static func noSOCKS(_ proxy: String) -> String { "No SOCKS reply from \(proxy)" }
    static func tunnelRefused(_ proxy: String, _ host: String, _ status: Int) -> String {
        "Connection to \(host) refused by \(proxy) with status \(status)"
    }

    // MARK: - What broke

    static func lost(_ host: String) -> String { "Connection to \(host) lost" }
    static func closedEarly(_ host: String) -> String { "Connection closed early by \(host)" }
    static func emptyReply(_ host: String) -> String { "Empty reply from \(host)" }
    static func cutReply(_ host: String) -> String { "Connection closed in the middle of the response by \(host)" }
    static func bodyMayBeStored(_ reason: String) -> String { "\(reason); the server may have stored the body" }
    static func streamReset(_ host: String) -> String { "HTTP/2 stream reset by \(host)" }
    static func tlsCutOff(_ host: String) -> String {
        "TLS closed without close_notify by \(host); the body may be cut short"
    }
    static func codingCutOff(_ host: String) -> String { "Truncated compressed body from \(host)" }
    static func stoppedSending(_ host: String) -> String { "\(host) stopped sending" }
    static func stoppedReceiving(_ host: String) -> String { "\(host) stopped accepting the body" }
    static func noResponseInTime(_ host: String) -> String { "No response in time from \(host)" }
    static func tooSlow(_ host: String, _ rate: String, seconds: Int64) -> String {
        "Slower than \(rate) for \(seconds) s: \(host)"
    }
    static func timeLimit(_ seconds: String) -> String { "Exceeded the time limit of \(seconds) s" }
    static func timeLimit(_ seconds: String, last reason: String) -> String {
        "Exceeded the time limit of \(seconds) s; last error: \(reason)"
    }

    // MARK: - TLS

    static func tlsFailed(_ host: String) -> String { "TLS handshake with \(host) failed" }
    static func plainHTTP(_ peer: String) -> String {
        "Plain HTTP instead of TLS from \(peer); write http:// in the URL"
    }

    // MARK: - libcurl

    static let outOfMemory = "Out of memory for the transfer"
    static func other(_ reason: String) -> String { "Transfer failed: \(reason)" }
}
