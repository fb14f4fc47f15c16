import SessionSupport

extension [Job] {
    /// The warning that the certificates of some servers are not checked; nil while all are checked.
    package func trustWarning(further: [SafeText] = []) -> SafeText? {
        var hosts: [String] = []
        for job in self where job.options.contains(.insecure) {
            // An http server shows no certificate.
            for url in [job.url] + job.options.terms.mirrors {
                let scan = URLScan(url)
                guard scan.isEncrypted, let host = scan.host.map({ String(url[$0]) }), !hosts.contains(host) else {
                    continue
                }
                hosts.append(host)
            }
        }
        var subjects = hosts.prefix(3).map { SafeText(untrusted: $0) }
        if hosts.count > 3 { subjects.append(TrustErrors.more(hosts.count - 3)) }
        subjects += further
        guard !subjects.isEmpty else { return nil }
        return TrustErrors.certificatesUnverified(subjects.joined(by: ", "))
    }
}
