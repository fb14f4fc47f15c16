import CCurl

/// The connection of an attempt.
extension Attempt {
    /// The name under which its connection is kept: a proxy that reads requests itself, or the server.
    var connectionName: String {
        guard let proxy = plan.connection?.proxy, proxy.readsRequests, !isOfSecureRequest else {
            return requestTarget?.host ?? owner.host
        }
        return proxy.endpoint
    }

    private var isOfSecureRequest: Bool { requestTarget?.isEncrypted ?? owner.isEncrypted }

    /// Whether it has connected, to the server or to a proxy.
    var isConnected: Bool { handle.hasSentRequest || cc_get_offset(handle.raw, CURLINFO_CONNECT_TIME_T) > 0 }

    /// Whether its connection got no further than its proxy.
    var hasFailedAtProxy: Bool {
        guard plan.connection?.proxy?.scheme == .https else { return false }
        return !isOfSecureRequest || cc_get_long(handle.raw, CURLINFO_HTTP_CONNECTCODE) == 0
    }

    /// Whether the bytes on its socket are encrypted.
    var isEncrypted: Bool { isOfSecureRequest || plan.connection?.proxy?.scheme == .https }
}
