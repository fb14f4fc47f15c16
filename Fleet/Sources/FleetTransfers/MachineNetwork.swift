internal import Glibc

/// The networks that this machine is in.
enum MachineNetwork {
    /// Whether an interface but the loopback one works and has an address that counts beyond its own cable.
    ///
    /// A route to everywhere is no condition: a cluster's nodes often have their own network alone.
    static var isThere: Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        // A system that does not say has one.
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            if works(entry.ifa_flags), let address = entry.ifa_addr, isUsable(address) { return true }
            next = entry.ifa_next
        }
        return false
    }

    private static func works(_ flags: UInt32) -> Bool {
        let wanted = UInt32(IFF_UP | IFF_RUNNING)
        return flags & wanted == wanted && flags & UInt32(IFF_LOOPBACK) == 0
    }

    private static func isUsable(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return true
        case AF_INET6:
            // An interface gives itself an address of fe80::/10 without any network.
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { inner in
                withUnsafeBytes(of: inner.pointee.sin6_addr) { !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
            }
        default: return false
        }
    }
}
