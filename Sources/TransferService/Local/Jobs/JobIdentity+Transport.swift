import Foundation
import Glibc
import SessionCore
import SessionSupport

/// What connections need below HTTP, and the files that are written at the end.
extension JobIdentity {
    /// Checks the versions of TLS and the marks of packets.
    func checkTransport(_ transport: TransportTerms) throws(Problem) {
        guard !transport.excludesEveryTLS else {
            throw Problem(option: .mostTLS, sentence: IdentityUsage.noVersionLeft)
        }
        if let priority = transport.marking.priority, !LocalEndpoints.allows(priority: priority) {
            throw Problem(option: .priority, sentence: IdentityUsage.priorityRefused)
        }
    }

    /// Checks that libcurl knows a scheme.
    func checkScheme(_ scheme: RequestCredentials.Scheme) throws(Problem) {
        guard scheme == .ntlm, !EngineLibraries.hasNTLM else { return }
        throw Problem(option: .ntlm, sentence: IdentityUsage.noNTLM)
    }

    // MARK: - Hosts for https only

    /// The hosts of the run, with the ones of a file added; a missing file is made at the end.
    func secureHosts(in path: String) throws(Problem) -> SecureHosts {
        let real = UserFolder.expanding(path, environment: environment)
        if let problem = LocalEndpoints.problem(withNewFile: real) {
            throw Problem(option: .secureHosts, sentence: problem)
        }
        let (hosts, isNew) = state.withLock { state in
            let hosts = state.secureHosts ?? SecureHosts { Int64(Date().timeIntervalSince1970) }
            state.secureHosts = hosts
            return (hosts, !state.secureHostFiles.contains(real))
        }
        guard isNew else { return hosts }
        if access(real, F_OK) == 0 {
            let bytes = try contents(of: real, for: .secureHosts)
            let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
            let unreadable = hosts.add(file: text)
            if unreadable > 0 {
                let warning = ServiceLines.unreadableHosts(SafeText(untrusted: path), unreadable)
                state.withLock { $0.warnings.append(warning) }
            }
        }
        state.withLock { if !$0.secureHostFiles.contains(real) { $0.secureHostFiles.append(real) } }
        return hosts
    }

    /// Writes the cookies and the hosts to the named files with mode 0600.
    func saveFiles() {
        saveCookies()
        let (hosts, paths) = state.withLock { ($0.secureHosts, $0.secureHostFiles) }
        guard let hosts, hosts.hasChanged else { return }
        let problems: [String] = paths.compactMap { path in
            FileReplacement.write(Array(hosts.file.utf8), to: path, access: .user)
                .map { ServiceErrors.unwrittenHosts(path, SystemWords.text($0)) }
        }
        state.withLock { $0.complaints += problems.map { SafeText(untrusted: $0) } }
    }
}

extension ClientCertificate.Format {
    /// The format that a file's name stands for.
    init(ofFile path: String) {
        let name = path.lowercased()
        self = name.hasSuffix(".p12") || name.hasSuffix(".pfx") ? .pkcs12 : .pem
    }
}
