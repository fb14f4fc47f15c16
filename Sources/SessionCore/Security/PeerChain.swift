import CCurl

/// What a server showed during the handshake.
struct PeerChain: Sendable, Equatable {
    /// The chain in DER, the server's own certificate first.
    var certificates: [[UInt8]]
    /// Whether the chain leads to an authority that the system trusts and is valid now.
    var isTrustedBySystem: Bool
    /// Whether the first certificate names the host.
    var namesHost: Bool

    init(_ peer: cc_peer) {
        let lengths = UnsafeBufferPointer(start: peer.certificates.lengths, count: peer.certificates.count)
        var rest = UnsafeBufferPointer(start: peer.certificates.bytes, count: lengths.reduce(0, +))[...]
        certificates = lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        isTrustedBySystem = peer.is_trusted
        namesHost = peer.names_host
    }
}
