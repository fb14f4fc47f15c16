import Glibc

/// Addresses with their ports as text: connections are used for many transfers, and each has the same two.
///
/// A class because it remembers while its owner only asks. Belongs to one thread.
final class EndpointCache {
    private struct Entry {
        var address: String
        var port: Int
        var text: String
    }

    private static let slotCount = 128

    private var entries = [Entry?](repeating: nil, count: slotCount)

    /// An address and a port; the colons of an address stand in brackets.
    func text(_ address: UnsafePointer<CChar>, port: Int) -> String {
        let slot = port & (Self.slotCount - 1)
        if let known = entries[slot], known.port == port, known.address.withCString({ strcmp($0, address) == 0 }) {
            return known.text
        }
        let address = String(cString: address)
        let host = address.utf8.contains(0x3A) ? "[" + address + "]" : address
        let text = host + ":" + String(port)
        entries[slot] = Entry(address: address, port: port, text: text)
        return text
    }
}
