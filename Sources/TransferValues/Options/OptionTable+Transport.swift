/// The options of connections below HTTP: TLS, the resolution of names, and the marks of packets.
extension JobOption {
    package static let nameService = record("doh-url")
    package static let secureHosts = record("hsts")
    package static let mostTLS = record("tls-max")
    package static let priority = record("vlan-priority")
    package static let certificateFormat = record("cert-type")

    static var ofTransport: [JobOption] {
        [
            JobOption("tlsv1.2", "require TLS 1.2 or newer (the default)", reach: .run, matter: "least TLS version") {
                $0.request.transport.leastTLS = .tls12
            },
            JobOption(
                "tlsv1.3", "require TLS 1.3", reach: .run, matter: "least TLS version", opposite: "tlsv1.2"
            ) {
                $0.request.transport.leastTLS = .tls13
            },
            JobOption("tls-max", .secureVersion, "newest TLS version: 1.2, 1.3 or default", reach: .run) {
                $0.request.transport.mostTLS = $1
            },
            JobOption(
                "hsts", .file(), "use https for the hosts in FILE, and add the hosts that ask for it", reach: .run
            ) { $0.secureHostsFile = $1 },
            JobOption("doh-url", .nameService, "resolve host names over HTTPS at URL", reach: .run) {
                $0.request.transport.nameService = $1
            },
            JobOption(
                "ip-tos", .serviceType, "mark packets for networks: a name such as EF, AF21, CS1 or LE, or 0 to 255",
                reach: .run
            ) { $0.request.transport.marking.serviceType = $1 },
            JobOption(
                "vlan-priority", .packetPriority, "priority of packets within VLANs, 0 to 7", reach: .run
            ) { $0.request.transport.marking.priority = $1 },
        ]
    }
}
