import CCurl

/// What is known of the connection of an attempt.
extension Attempt {
    /// Whom its connection leads to, as far as kept connections go: a proxy that reads requests itself, or the server.
    var connectionName: String {
        guard let proxy = plan.connection?.proxy, proxy.readsRequests, !isOfSecureRequest else {
            return requestTarget?.host ?? owner.host
        }
        return proxy.place
    }

    private var isOfSecureRequest: Bool { requestTarget?.isEncrypted ?? owner.isEncrypted }

    /// Whether it has been connected, to the server or to a proxy.
    var isConnected: Bool { handle.hasSentRequest || cc_get_offset(handle.raw, CURLINFO_CONNECT_TIME_T) > 0 }

    /// Whether its connection came no further than to its proxy.
    var hasFailedAtProxy: Bool {
        guard plan.connection?.proxy?.scheme == .https else { return false }
        return !isOfSecureRequest || cc_get_long(handle.raw, CURLINFO_HTTP_CONNECTCODE) == 0
    }

    /// Whether what its socket carries is encrypted.
    var isEncrypted: Bool { isOfSecureRequest || plan.connection?.proxy?.scheme == .https }
}
