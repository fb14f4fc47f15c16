import CCurl

/// The authorities that the system trusts, read once for all connections of a session.
///
/// libcurl reads all of them for each connection, which costs thirty times as much as the handshake. A class because it
/// owns a C object. Confined to the transfer loop.
final class SystemAuthorities {
    let raw: OpaquePointer

    init() throws(SessionError) {
        guard let raw = cc_authorities_create() else {
            throw SessionError(.internal, "There is not enough memory for the system's authorities")
        }
        self.raw = raw
    }

    deinit { cc_authorities_free(raw) }
}

@available(*, unavailable)
extension SystemAuthorities: Sendable {}
