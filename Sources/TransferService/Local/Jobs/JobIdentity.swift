import CLinux
import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Turns the options of jobs and of a run into the library's options.
///
/// Secrets are read from the environment, from files or from commands right before the request is made, and stay in memory. A class
/// because the requests of a run share the cookies and the files that were read.
package final class JobIdentity: Sendable {
    /// A problem with an option's value.
    package struct Problem: Error, Equatable {
        var option: JobOption
        var sentence: String

        /// The sentence with the option's name in front.
        package var usage: UsageError { UsageError(argument: "--" + option.name, sentence) }
    }

    struct State: Sendable {
        var jar: CookieJar?
        /// The files already read into the jar, as they were then.
        var cookieFiles: [String: FileVersion] = [:]
        /// The profiles of Firefox already read into the jar.
        var profiles: Set<String> = []
        /// The files that the jar is written to at the end.
        var jarFiles: [String] = []
        var netrcFiles: [String: (version: FileVersion, file: NetrcFile)] = [:]
        var secureHosts: SecureHosts?
        /// The files that were read into the hosts, and are written at the end.
        var secureHostFiles: [String] = []
        var warnings: [SafeText] = []
        var complaints: [SafeText] = []

        mutating func warn(_ warning: SafeText) {
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }

    let environment: [String: String]
    let commands: SecretCommands
    let programs: JSONPrograms
    let state = Locked(State())

    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment, commands: SecretCommands = .shared
    ) {
        (self.environment, self.commands) = (environment, commands)
        programs = JSONPrograms(environment: environment)
    }

    // MARK: - Runs

    /// The options of the run, completed from its environment; nil without any.
    package func runOptions(_ values: [JobOption.Value]) throws(Problem) -> RequestOptions? {
        var terms = RequestTerms()
        terms.request.proxies = try environmentProxies()
        terms.request.authorities = environmentAuthorities
        for value in values { value.apply(to: &terms) }
        try complete(&terms)
        return terms.request == RequestOptions() ? nil : terms.request
    }

    /// The proxies that the environment names; nil for none.
    private func environmentProxies() throws(Problem) -> ProxySettings? {
        do throws(SessionError) {
            let proxies = try ProxySettings(environment: environment)
            return proxies.http == nil && proxies.https == nil ? nil : proxies
        } catch {
            throw Problem(option: .proxy, sentence: error.message)
        }
    }

    /// The files that the environment names, as curl reads them.
    private var environmentAuthorities: AuthorityFiles? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = value("CURL_CA_BUNDLE") { return AuthorityFiles(file: bundle) }
        let files = AuthorityFiles(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
        return files == AuthorityFiles() ? nil : files
    }

    // MARK: - Jobs

    /// Applies a job's options to its request.
    func complete(_ request: inout TransferRequest, of job: Job) throws(Problem) {
        guard !job.options.isEmpty else { return }
        var terms = job.options.terms
        try complete(&terms)
        try completeCredentials(&terms, url: job.url)
        if let token = terms.bearer, request.headers["Authorization"] == nil {
            request.headers["Authorization"] = "Bearer " + (try secret(token, of: .bearer))
        }
        for field in terms.headers { request.headers[field.name] = field.value }
        for field in terms.secretFields {
            request.headers[field.name] = try secret(field.value, of: .secretHeader)
        }
        guard terms.resumption != .multipart || !job.url.contains("?") else {
            throw Problem(option: .resumable, sentence: IdentityUsage.objectWithQuery)
        }
        let cookies = terms.cookies.compactMap { if case .pair(let text) = $0 { text } else { nil } }
        if !cookies.isEmpty {
            let own = request.headers["Cookie"].map { [$0] } ?? []
            request.headers["Cookie"] = (own + cookies).joined(separator: "; ")
        }
        try addBody(to: &request, of: terms)
        request.options = terms.request
    }

    /// Resolves what spans several options, files or the environment, and checks the named files and addresses.
    private func complete(_ terms: inout RequestTerms) throws(Problem) {
        try applyProxy(&terms)
        try checkEndpoints(terms.request)
        try checkTransport(terms.request.transport)
        try applyCertificates(&terms)
        let jars = terms.cookies.compactMap { if case .jar(let path) = $0 { path } else { nil } }
        for source in terms.cookies { terms.request.cookies = try cookies(source, besides: jars) }
        if let path = terms.secureHostsFile { terms.request.transport.secureHosts = try secureHosts(in: path) }
    }

    private func completeCredentials(_ terms: inout RequestTerms, url: String) throws(Problem) {
        guard terms.request.signing == nil || terms.user != nil || terms.netrc != nil else {
            throw Problem(option: .amazonSignature, sentence: IdentityUsage.keysMissing)
        }
        if let given = terms.user {
            let (user, password) = try credentials(given, of: .user)
            terms.request.credentials = RequestCredentials(user: user, password: password, scheme: terms.scheme)
        } else {
            try addNamedCredentials(to: &terms, url)
        }
        try checkScheme(terms.scheme)
        if terms.scheme != .basic { terms.request.urlScheme = terms.scheme }
        guard terms.usesTicket else { return }
        // curl needs `-u :` to heed the option at all.
        guard terms.user == nil || terms.user == .pair(user: "", password: .text("")) else {
            throw Problem(option: .negotiate, sentence: IdentityUsage.ticketWithUser)
        }
        (terms.request.credentials, terms.request.urlScheme) = (.negotiate, .negotiate)
    }

    /// Checks addresses, interfaces and sockets of this machine.
    private func checkEndpoints(_ options: RequestOptions) throws(Problem) {
        for endpoint in options.connections where endpoint.isAddressOnly {
            let addresses = [endpoint.target] + endpoint.furtherTargets
            if let wrong = addresses.first(where: { !LocalEndpoints.isAddress($0) }) {
                throw Problem(option: .resolve, sentence: IdentityUsage.address(wrong))
            }
        }
        if let problem = options.interface.flatMap({ LocalEndpoints.problem(withInterface: $0) }) {
            throw Problem(option: .interface, sentence: problem)
        }
        if let problem = options.unixSocket.flatMap({ LocalEndpoints.problem(withSocket: $0) }) {
            throw Problem(option: .unixSocket, sentence: problem)
        }
    }

    /// Applies the hosts without a proxy.
    static func applyExceptions(_ terms: inout RequestTerms) {
        if let exceptions = terms.request.proxyExceptions { terms.request.proxies?.exceptions = exceptions }
    }

    private func applyProxy(_ terms: inout RequestTerms) throws(Problem) {
        try applyProxiesOfSchemes(&terms)
        Self.applyExceptions(&terms)
        guard let given = terms.proxyUser else { return }
        let (user, password) = try credentials(given, of: .proxyUser)
        var named = terms.request.proxies
        if named == nil { named = try environmentProxies() }
        guard var proxies = named else {
            throw Problem(option: .proxyUser, sentence: IdentityUsage.proxyMissing)
        }
        proxies.http?.user = user
        proxies.http?.password = password
        proxies.https?.user = user
        proxies.https?.password = password
        terms.request.proxies = proxies
    }

    /// Puts the proxies of one scheme before the one of all, which may be the environment's.
    private func applyProxiesOfSchemes(_ terms: inout RequestTerms) throws(Problem) {
        guard terms.httpProxy != nil || terms.httpsProxy != nil else { return }
        var proxies = terms.request.proxies
        if proxies == nil { proxies = try environmentProxies() }
        var own = proxies ?? ProxySettings()
        if let proxy = terms.httpProxy { own.http = proxy }
        if let proxy = terms.httpsProxy { own.https = proxy }
        terms.request.proxies = own
    }

    private func applyCertificates(_ terms: inout RequestTerms) throws(Problem) {
        if terms.authorities != AuthorityFiles() { terms.request.authorities = terms.authorities }
        guard terms.certificate != nil || terms.key == nil else {
            throw Problem(option: .key, sentence: IdentityUsage.certificateMissing)
        }
        let files: [(JobOption, String?)] = [
            (.authorityFile, terms.authorities.file), (.authorityFolder, terms.authorities.folder),
            (.certificate, terms.certificate), (.key, terms.key),
        ]
        for (option, path) in files {
            if let problem = path.flatMap(LocalEndpoints.problem(withReadFile:)) {
                throw Problem(option: option, sentence: problem)
            }
        }
        guard let certificate = terms.certificate else { return }
        let format = terms.certificateFormat ?? ClientCertificate.Format(ofFile: certificate)
        guard format == .pem || terms.key == nil else {
            throw Problem(option: .key, sentence: IdentityUsage.keyInCertificate)
        }
        var password: String?
        if let given = terms.keyPassword { password = try secret(given, of: .keyPassword) }
        terms.request.clientCertificate = ClientCertificate(
            file: certificate, keyFile: terms.key, password: password, format: format)
    }

    // MARK: - Secrets

    /// A user name and a password; a secret reference may replace both, or the password.
    private func credentials(_ given: CredentialsText, of option: JobOption) throws(Problem) -> (String, String) {
        switch given {
        case .pair(let user, let password): return (user, try secret(password, of: option))
        case .reference(let reference):
            let both = try secret(reference, of: option)
            guard let colon = both.firstIndex(of: ":") else {
                throw Problem(option: option, sentence: IdentityUsage.passwordMissing)
            }
            return (String(both[..<colon]), String(both[both.index(after: colon)...]))
        }
    }

    /// A literal secret, or the one in an environment variable, in the first line of a file or of a command's output.
    ///
    /// Blocks while a command runs that was not prepared.
    private func secret(_ secret: SecretText, of option: JobOption) throws(Problem) -> String {
        let value: String
        switch secret {
        case .text(let text): return text
        case .environment(let name):
            guard let found = environment[name], !found.isEmpty else {
                let isUnset = environment[name] == nil
                throw Problem(
                    option: option,
                    sentence: isUnset ? IdentityUsage.variableUnset(name) : IdentityUsage.variableEmpty(name))
            }
            value = found
        case .file(let path):
            let bytes = try contents(of: path, for: option)
            let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
            value = String(text.prefix { !$0.isNewline })
            guard !value.isEmpty else {
                throw Problem(
                    option: option,
                    sentence: text.isEmpty ? IdentityUsage.fileEmpty(path) : IdentityUsage.firstLineEmpty(path))
            }
        case .command(let command):
            do throws(ShellCommand.Failure) {
                value = try commands.secret(of: command, environment)
            } catch {
                throw Problem(option: option, sentence: CommandReasons.failed(error.cause))
            }
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(option: option, sentence: IdentityUsage.severalLines)
        }
        return value
    }

    /// The warnings about files that were read, without repetitions.
    package var warnings: [SafeText] { state.withLock { $0.warnings } }

    func contents(of path: String, for option: JobOption) throws(Problem) -> [UInt8] {
        let real = UserFolder.expanding(path, environment: environment)
        var status = stat()
        guard stat(real, &status) == 0 else { throw unreadable(path, option) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 16 << 20 else {
            throw Problem(option: option, sentence: IdentityUsage.oddFile(path))
        }
        guard let data = FileManager.default.contents(atPath: real) else { throw unreadable(path, option) }
        return [UInt8](data)
    }

    func unreadable(_ path: String, _ option: JobOption) -> Problem {
        Problem(option: option, sentence: IdentityUsage.unreadable(path, SystemWords.text(errno)))
    }

    // MARK: - Cookies

    /// The jar of the run with a file's cookies added, or with the name of the file to write at the end.
    ///
    /// - Parameter jars: the files of the same job that are written at the end.
    private func cookies(_ source: CookieSource, besides jars: [String]) throws(Problem) -> CookieJar {
        let jar = state.withLock { state in
            let jar = state.jar ?? CookieJar { Int64(Date().timeIntervalSince1970) }
            state.jar = jar
            return jar
        }
        switch source {
        case .pair, .responses: break
        case .jar(let path):
            if let problem = LocalEndpoints.problem(withNewFile: path) {
                throw Problem(option: .cookieJar, sentence: problem)
            }
            state.withLock { if !$0.jarFiles.contains(path) { $0.jarFiles.append(path) } }
        case .firefox(let profile):
            let name = profile ?? ""
            guard !state.withLock({ $0.profiles.contains(name) }) else { break }
            jar.add(file: try firefoxCookies(profile))
            state.withLock { _ = $0.profiles.insert(name) }
        case .file(let path):
            // At the first run the file that is written at the end is missing, as for curl.
            let isMade = (jars + state.withLock { $0.jarFiles }).contains(path)
            if isMade, access(UserFolder.expanding(path, environment: environment), F_OK) != 0, errno == ENOENT {
                break
            }
            try read(path, into: jar)
        }
        return jar
    }

    /// Adds the cookies of a file, unless it is as it was when that was done last.
    private func read(_ path: String, into jar: CookieJar) throws(Problem) {
        let version = FileVersion(path: UserFolder.expanding(path, environment: environment))
        if let version, state.withLock({ $0.cookieFiles[path] }) == version { return }
        let bytes = try contents(of: path, for: .cookie)
        let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
        let warning = Self.warning(of: jar.add(file: text), in: path)
        state.withLock { state in
            state.cookieFiles[path] = version
            if let warning { state.warn(warning) }
        }
    }

    /// The cookies of a profile of Firefox as the text of a cookie file.
    private func firefoxCookies(_ profile: String?) throws(Problem) -> String {
        let named = profile.map { UserFolder.expanding($0, environment: environment) }
        guard let profile = FirefoxProfile(named, environment: environment) else {
            throw Problem(option: .cookiesFrom, sentence: IdentityUsage.noProfile(profile))
        }
        do throws(SessionError) {
            return try profile.cookies()
        } catch {
            throw Problem(option: .cookiesFrom, sentence: error.message)
        }
    }

    /// The failures of writing the cookies; empty when there were none.
    var complaints: [SafeText] { state.withLock { $0.complaints } }

    /// Writes the cookies to the named files with mode 0600.
    func saveCookies() {
        let (jar, paths) = state.withLock { ($0.jar, $0.jarFiles) }
        guard let jar else { return }
        let problems: [String] = paths.compactMap { path in
            FileReplacement.write(Array(jar.file.utf8), to: path, access: .user)
                .map { ServiceErrors.unwrittenCookies(path, SystemWords.text($0)) }
        }
        state.withLock { $0.complaints = problems.map { SafeText(untrusted: $0) } }
    }
}

extension JobIdentity {
    /// Checks the options of a job before its task exists.
    package func check(_ job: Job) throws(UsageError) {
        guard !job.options.isEmpty else { return }
        var request = TransferRequest(url: job.url)
        do throws(Problem) {
            try complete(&request, of: job)
            try checkPrograms(of: job)
        } catch {
            throw error.usage
        }
    }
    /// Checks that jq can read the programs of conditions and links.
    private func checkPrograms(of job: Job) throws(Problem) {
        for value in job.options {
            for program in [value].answerTerms?.programs ?? [] {
                guard let failure = programs.problem(with: program) else { continue }
                throw Problem(option: value.option, sentence: failure.sentence().string)
            }
        }
    }
}
