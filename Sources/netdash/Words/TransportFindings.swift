import Dashboard

/// What `doctor` has found about connections below HTTP.
enum TransportFindings {
    static let bothTLS: SafeText = "1.2 and 1.3"
    static let onlyTLS12: SafeText = "1.2 only"
    static let onlyTLS13: SafeText = "1.3 only"
    static let noVersion: SafeText = "--tlsv1.3 and --tls-max 1.2 leave no version"
    static let chooseVersion: SafeText = "https cannot work: leave out one of the two"

    static func showing(_ certificate: SafeText, with versions: SafeText) -> SafeText {
        "\(versions), client certificate \(certificate)"
    }

    // MARK: - Hosts for https only

    static let noHostFile: SafeText = "no file (--hsts FILE)"
    static let otherHostFile: SafeText = "Correct --hsts, or leave it out"

    static func hosts(_ count: Int, in path: SafeText) -> SafeText { "\(count, "host", "hosts") in \(path)" }

    static func unreadableHosts(_ count: Int) -> SafeText { "\(count, "line names", "lines name") no host" }

    // MARK: - Names and packets

    static let systemResolver: SafeText = "off (--doh-url URL)"
    static let unmarked: SafeText = "packets not marked (--ip-tos NAME)"
    static let lowerPriority: SafeText = "The system reserves this priority; use --vlan-priority 0 to 6"

    static func serviceType(_ number: Int) -> SafeText { "service type \(number)" }

    static func priority(_ number: Int) -> SafeText { "priority \(number)" }

    // MARK: - NTLM

    static let ntlm: SafeText = "supported (--ntlm)"
    static let noNTLM: SafeText = "this libcurl was built without it"
    static let useTicket: SafeText = "--ntlm is refused; for Kerberos use --negotiate"
}
