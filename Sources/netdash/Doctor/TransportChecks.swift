import Dashboard
import SessionSupport
import TransferService

/// Judges what the options say about connections below HTTP.
enum TransportChecks {
    /// The versions of TLS, and the client certificate.
    static func secure(_ terms: RequestTerms) -> Finding {
        let transport = terms.request.transport
        guard !transport.excludesEveryTLS else {
            return .wrong("TLS", TransportFindings.noVersion, advice: TransportFindings.chooseVersion)
        }
        let versions =
            transport.leastTLS == .tls13
            ? TransportFindings.onlyTLS13
            : transport.mostTLS == .tls12 ? TransportFindings.onlyTLS12 : TransportFindings.bothTLS
        guard let certificate = terms.certificate else { return Finding(topic: "TLS", fact: versions) }
        return Finding(
            topic: "TLS", fact: TransportFindings.showing(SafeText(untrusted: certificate), with: versions))
    }

    /// The file of hosts that are reached over https only; the counts are nil for a file that does not exist.
    static func secureHosts(file: String?, counts: (hosts: Int, unreadable: Int)?, problem: String?) -> Finding {
        guard let file else { return Finding(topic: "HSTS", fact: TransportFindings.noHostFile) }
        let path = SafeText(untrusted: file)
        if let problem {
            return .wrong(
                "HSTS", DoctorFindings.problem(path, SafeText(untrusted: problem)),
                advice: TransportFindings.otherHostFile)
        }
        guard let counts else { return Finding(topic: "HSTS", fact: DoctorFindings.notPresent(path)) }
        let fact = TransportFindings.hosts(counts.hosts, in: path)
        guard counts.unreadable > 0 else { return Finding(topic: "HSTS", fact: fact) }
        return .note("HSTS", fact, advice: TransportFindings.unreadableHosts(counts.unreadable))
    }

    /// Who resolves host names.
    static func nameService(_ transport: TransportTerms) -> Finding {
        guard let service = transport.nameService else {
            return Finding(topic: "DoH", fact: TransportFindings.systemResolver)
        }
        return Finding(topic: "DoH", fact: SafeText(url: service))
    }

    /// The marks of packets.
    static func marking(_ marking: PacketMarking, isAllowed: Bool) -> Finding {
        let words = [
            marking.serviceType.map { TransportFindings.serviceType(Int($0)) },
            marking.priority.map { TransportFindings.priority(Int($0)) },
        ].compactMap(\.self)
        guard !words.isEmpty else { return Finding(topic: "DSCP", fact: TransportFindings.unmarked) }
        let fact = words.joined(by: ", ")
        guard isAllowed else { return .wrong("DSCP", fact, advice: TransportFindings.lowerPriority) }
        return Finding(topic: "DSCP", fact: fact)
    }

    /// Whether libcurl knows NTLM.
    static func ntlm(isSupported: Bool) -> Finding {
        guard isSupported else { return .note("NTLM", TransportFindings.noNTLM, advice: TransportFindings.useTicket) }
        return Finding(topic: "NTLM", fact: TransportFindings.ntlm)
    }
}
