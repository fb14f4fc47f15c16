import CCurl
import SessionSupport

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

    /// The marks of its packets.
    var marking: PacketMarking { plan.connection?.options.transport.marking ?? PacketMarking() }

    /// Whether the bytes on its socket are encrypted.
    var isEncrypted: Bool { isOfSecureRequest || plan.connection?.proxy?.scheme == .https }
}

/// The peer of an attempt.
extension Attempt {
    /// Returns the peer's address in digits; nil where only a name is known.
    ///
    /// - Parameter host: the server's name.
    func peerAddress(host: String) -> String? {
        if let address = cc_get_string(handle.raw, CURLINFO_PRIMARY_IP), address.pointee != 0 {
            return String(cString: address)
        }
        return plan.connection?.proxy == nil ? Self.address(in: host) : nil
    }

    /// Returns the address that a URL's host names in digits; nil for a name, and for an address with a zone.
    static func address(in host: String) -> String? {
        if host.hasPrefix("[") { return host.contains("%") ? nil : String(host.dropFirst().dropLast()) }
        return host.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") } ? host : nil
    }

    /// Whether the attempt stayed on this machine, so that it needs no network.
    func isLocal(host: String) -> Bool {
        if plan.connection?.options.unixSocket != nil { return true }
        guard plan.connection?.proxy == nil else { return false }
        return host == "localhost" || host.hasSuffix(".localhost")
    }
}
