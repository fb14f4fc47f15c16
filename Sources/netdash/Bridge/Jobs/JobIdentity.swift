import CLinux
import Dashboard
import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Turns the options of jobs and of a run into those of the library.
///
/// Secrets are read where they are, in the environment or in files, right before the request is made; what was read stays
/// in memory. A class because the requests of a run share the cookies and the files that were read.
final class JobIdentity: Sendable {
    /// What is wrong with an option, found when its value was looked at.
    struct Problem: Error, Equatable {
        var option: JobOption
        var sentence: String

        /// The sentence with the name of the option in front.
        var usage: UsageError { UsageError(argument: "--" + option.rawValue, sentence) }
    }

    struct State: Sendable {
        var jar: CookieJar?
        /// The files whose cookies are in the jar.
        var cookieFiles: Set<String> = []
        /// The files that get the jar's cookies at the end.
        var jarFiles: [String] = []
        var netrcFiles: [String: NetrcFile] = [:]
        var warnings: [SafeText] = []
        var complaints: [SafeText] = []
    }

    let environment: [String: String]
    let state = Locked(State())

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    // MARK: - Runs

    /// The options of a whole run, with those that its environment has; nil without any.
    func runOptions(_ values: [JobOption.Value]) throws(Problem) -> RequestOptions? {
        var options = RequestOptions()
        do throws(SessionError) {
            let proxies = try ProxySettings(environment: environment)
            options.proxies = proxies.http == nil && proxies.https == nil ? nil : proxies
        } catch {
            throw Problem(option: .proxy, sentence: error.message)
        }
        options.authorities = environmentAuthorities
        try apply(values, to: &options, url: nil)
        // Where there is no request's own, the session's are taken as they are.
        if let exceptions = options.proxyExceptions { options.proxies?.exceptions = exceptions }
        return options == RequestOptions() ? nil : options
    }

    /// The files that the environment names, as curl reads them.
    private var environmentAuthorities: AuthorityFiles? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = value("CURL_CA_BUNDLE") { return AuthorityFiles(file: bundle) }
        let files = AuthorityFiles(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
        return files == AuthorityFiles() ? nil : files
    }

    // MARK: - Jobs

    /// Adds to a request what the options of its job say.
    func complete(_ request: inout TransferRequest, of job: Job) throws(Problem) {
        guard !job.options.isEmpty else { return }
        var options = RequestOptions()
        try apply(job.options, to: &options, url: job.url)
        let values = job.options
        if let token = values.text(of: .bearer), request.headers["Authorization"] == nil {
            request.headers["Authorization"] = "Bearer " + (try secret(token, of: .bearer))
        }
        if let agent = values.text(of: .userAgent) { request.headers["User-Agent"] = agent }
        if let page = values.text(of: .referer) { request.headers["Referer"] = page }
        let cookies = values.filter { $0.option == .cookie && $0.text.contains("=") }.map(\.text)
        if !cookies.isEmpty {
            let own = request.headers["Cookie"].map { [$0] } ?? []
            request.headers["Cookie"] = (own + cookies).joined(separator: "; ")
        }
        try addBody(to: &request, of: values)
        request.options = options
    }

    private func apply(
        _ values: [JobOption.Value], to options: inout RequestOptions, url: String?
    ) throws(Problem) {
        for value in values { try apply(value, to: &options) }
        try applyProxy(values, to: &options)
        try applyCertificates(values, to: &options)
        applyLeastSpeed(values, to: &options)
        guard let url else { return }
        if let text = values.text(of: .amazonSignature) {
            guard values.contains(.user) || values.contains(.netrc) || values.contains(.netrcFile) else {
                throw Problem(option: .amazonSignature, sentence: "the keys are missing; write --user KEY:SECRET too")
            }
            let words = text.split(separator: ":").map { String($0) }
            options.signing = RequestSigning(
                provider: words[0], vendor: words.count > 1 ? words[1] : "amz",
                region: words.count > 2 ? words[2] : nil, service: words.count > 3 ? words[3] : nil)
        }
        let scheme: RequestCredentials.Scheme = values.contains(.digest) ? .digest : .basic
        if let text = values.text(of: .user) {
            let (user, password) = try credentials(text, of: .user)
            options.credentials = RequestCredentials(user: user, password: password, scheme: scheme)
        } else {
            options.credentials = try namedCredentials(values, url, scheme)
        }
        if scheme != .basic { options.urlScheme = scheme }
        guard values.contains(.negotiate) else { return }
        // curl needs `-u :` to heed the option at all.
        guard values.text(of: .user) ?? ":" == ":" else {
            throw Problem(option: .negotiate, sentence: "a ticket stands for name and password; leave --user out")
        }
        (options.credentials, options.urlScheme) = (.negotiate, .negotiate)
    }

    func apply(_ value: JobOption.Value, to options: inout RequestOptions) throws(Problem) {
        switch value.option {
        case .pin: options.keyPins += value.text.split(separator: ";").map { String($0) }
        case .insecure: options.acceptsAnyCertificate = true
        case .resolve:
            let parts = JobOption.parts(value.text)
            let addresses = parts[2].split(separator: ",").map { address in
                address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : String(address)
            }
            if let wrong = addresses.first(where: { !LocalPlaces.isAddress($0) }) {
                throw Problem(option: .resolve, sentence: "\"\(wrong)\" is not an address; write HOST:PORT:ADDR")
            }
            options.connections.append(
                ConnectionPlace(
                    host: parts[0] == "*" ? "" : parts[0], port: Int(parts[1]),
                    target: addresses.first ?? "", isAddressOnly: true, furtherTargets: Array(addresses.dropFirst())))
        case .connectTo:
            let parts = JobOption.parts(value.text)
            options.connections.append(
                ConnectionPlace(host: parts[0], port: Int(parts[1]), target: parts[2], targetPort: Int(parts[3])))
        case .interface:
            if let problem = LocalPlaces.problem(withInterface: value.text) {
                throw Problem(option: .interface, sentence: problem)
            }
            options.interface = value.text
        case .unixSocket:
            if let problem = LocalPlaces.problem(withSocket: value.text) {
                throw Problem(option: .unixSocket, sentence: problem)
            }
            options.unixSocket = value.text
        case .ipv4: options.addressFamily = .ipv4
        case .ipv6: options.addressFamily = .ipv6
        case .maximumTime: options.timeLimit = Double(value.text)
        case .answerTimeout: options.answerTimeout = Double(value.text)
        case .resend: options.repeatsUnansweredBodies = true
        case .maximumFileSize: options.sizeLimit = JobOption.byteCount(value.text)
        case .cookie, .cookieJar: options.cookies = try cookies(value)
        case .proxy, .noProxy, .proxyUser, .authorityFile, .authorityFolder, .certificate, .key, .keyPassword, .user,
            .digest, .negotiate, .amazonSignature, .bearer, .netrc, .netrcFile, .userAgent, .referer, .remoteTime,
            .findChecksum, .connections, .minimumSegment, .mirror, .length, .verifyOverlap, .resumable, .leastSpeed,
            .leastSpeedTime,
            .form, .urlEncoded, .jsonBody:
            break
        }
    }

    /// As with curl one of the two is enough: a time alone wants a byte a second.
    private func applyLeastSpeed(_ values: [JobOption.Value], to options: inout RequestOptions) {
        let (speed, time) = (values.text(of: .leastSpeed), values.text(of: .leastSpeedTime))
        guard speed != nil || time != nil else { return }
        var least = LeastSpeed(bytesPerSecond: speed.flatMap { JobOption.byteCount($0) } ?? 1)
        if let seconds = time.flatMap({ Double($0) }) { least.seconds = seconds }
        options.leastSpeed = least
    }

    func applyProxy(_ values: [JobOption.Value], to options: inout RequestOptions) throws(Problem) {
        let exceptions = values.text(of: .noProxy)
        if let text = values.text(of: .proxy) {
            var proxy: Proxy?
            do throws(SessionError) {
                proxy = text.isEmpty ? nil : try Proxy(text)
            } catch {
                throw Problem(option: .proxy, sentence: error.message)
            }
            options.proxies = ProxySettings(proxy, exceptions: exceptions ?? options.proxies?.exceptions ?? "")
        }
        options.proxyExceptions = exceptions
        guard let text = values.text(of: .proxyUser) else { return }
        let (user, password) = try credentials(text, of: .proxyUser)
        guard options.proxies != nil else {
            throw Problem(option: .proxyUser, sentence: "there is no proxy; write --proxy too")
        }
        options.proxies?.http?.user = user
        options.proxies?.https?.user = user
        options.proxies?.http?.password = password
        options.proxies?.https?.password = password
    }

    private func applyCertificates(_ values: [JobOption.Value], to options: inout RequestOptions) throws(Problem) {
        let (file, folder) = (values.text(of: .authorityFile), values.text(of: .authorityFolder))
        if file != nil || folder != nil { options.authorities = AuthorityFiles(file: file, folder: folder) }
        for (option, path) in [(JobOption.authorityFile, file), (.authorityFolder, folder)] {
            if let problem = path.flatMap(LocalPlaces.problem(withReadFile:)) {
                throw Problem(option: option, sentence: problem)
            }
        }
        guard let certificate = values.text(of: .certificate) else {
            guard !values.contains(.key) else {
                throw Problem(option: .key, sentence: "belongs to a certificate; write --cert too")
            }
            return
        }
        let key = values.text(of: .key)
        for (option, path) in [(JobOption.certificate, certificate), (.key, key)] {
            if let problem = path.flatMap(LocalPlaces.problem(withReadFile:)) {
                throw Problem(option: option, sentence: problem)
            }
        }
        options.clientCertificate = ClientCertificate(
            file: certificate, keyFile: key,
            password: try values.text(of: .keyPassword).map { text throws(Problem) in try secret(text, of: .keyPassword)
            })
    }

    // MARK: - Secrets

    /// A name and a password; the whole or the password may be the place of a secret.
    private func credentials(_ text: String, of option: JobOption) throws(Problem) -> (String, String) {
        let whole = try secret(text, of: option)
        guard let colon = whole.firstIndex(of: ":") else {
            throw Problem(option: option, sentence: "a password is missing behind the name; write NAME:PASSWORD")
        }
        let password = String(whole[whole.index(after: colon)...])
        return (String(whole[..<colon]), text == whole ? try secret(password, of: option) : password)
    }

    /// A text, or what is at the place that it names; the last line break of a file is not part of the secret.
    private func secret(_ text: String, of option: JobOption) throws(Problem) -> String {
        let value: String
        switch SecretPlace(text) {
        case nil: return text
        case .environment(let name):
            guard let found = environment[name], !found.isEmpty else {
                let problem = environment[name] == nil ? "is not set" : "is empty"
                throw Problem(option: option, sentence: "the variable \(name) \(problem)")
            }
            value = found
        case .file(let path):
            let bytes = try contents(of: path, for: option)
            let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
            value = String(text.prefix { !$0.isNewline })
            guard !value.isEmpty else {
                throw Problem(
                    option: option,
                    sentence: text.isEmpty ? "\"\(path)\" is empty" : "the first line of \"\(path)\" is empty")
            }
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem(option: option, sentence: "what @env: or @file: names is no text of one line")
        }
        return value
    }

    /// What the user should know of the files that were read, each thing once.
    var warnings: [SafeText] { state.withLock { $0.warnings } }

    func contents(of path: String, for option: JobOption) throws(Problem) -> [UInt8] {
        let real = path.hasPrefix("~") ? (path as NSString).expandingTildeInPath : path
        var facts = stat()
        guard stat(real, &facts) == 0 else { throw unreadable(path, option) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= 16 << 20 else {
            throw Problem(option: option, sentence: "\"\(path)\" is not a file of ordinary size")
        }
        guard let data = FileManager.default.contents(atPath: real) else { throw unreadable(path, option) }
        return [UInt8](data)
    }

    private func unreadable(_ path: String, _ option: JobOption) -> Problem {
        Problem(option: option, sentence: "\"\(path)\" cannot be read: \(SystemWords.text(errno))")
    }

    // MARK: - Cookies

    /// The jar of the run, with the cookies of a file and with the name of the one that is written at the end.
    private func cookies(_ value: JobOption.Value) throws(Problem) -> CookieJar {
        let jar = state.withLock { state in
            let jar = state.jar ?? CookieJar { Int64(Date().timeIntervalSince1970) }
            state.jar = jar
            return jar
        }
        if value.option == .cookieJar {
            if let problem = LocalPlaces.problem(withNewFile: value.text) {
                throw Problem(option: .cookieJar, sentence: problem)
            }
            state.withLock { if !$0.jarFiles.contains(value.text) { $0.jarFiles.append(value.text) } }
        } else if !value.text.contains("="), state.withLock({ $0.cookieFiles.insert(value.text).inserted }) {
            let bytes = try contents(of: value.text, for: .cookie)
            let text = ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
            if let warning = Self.warning(of: jar.add(file: text), in: value.text) {
                state.withLock { $0.warnings.append(warning) }
            }
        }
        return jar
    }

    /// What went wrong when the cookies were written; empty when nothing did.
    var complaints: [SafeText] { state.withLock { $0.complaints } }

    /// Writes the cookies to the files that were named, readable by their user alone.
    func saveCookies() {
        let (jar, paths) = state.withLock { ($0.jar, $0.jarFiles) }
        guard let jar else { return }
        let problems: [String] = paths.compactMap { path in
            FileReplacement.write(Array(jar.file.utf8), to: path, access: .user)
                .map { "The cookies cannot be written to \(path): \(SystemWords.text($0))" }
        }
        state.withLock { $0.complaints = problems.map { SafeText(untrusted: $0) } }
    }

    // MARK: - Bodies

    private func addBody(to request: inout TransferRequest, of values: [JobOption.Value]) throws(Problem) {
        let fields = values.filter { $0.option == .form }
        if !fields.isEmpty {
            var form = MultipartForm()
            for field in fields { form.parts.append(try part(field.text)) }
            request.headers["Content-Type"] = form.contentType(keeping: request.headers["Content-Type"])
            request.body = form.body
        } else if let text = values.text(of: .jsonBody) {
            request.body = text.hasPrefix("@") ? .file(path: String(text.dropFirst())) : .bytes(Array(text.utf8))
            if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        } else {
            let fields = values.filter { $0.option == .urlEncoded }
            guard !fields.isEmpty else { return }
            var words: [String] = []
            for field in fields { words.append(try encoded(field.text)) }
            request.body = .bytes(Array(words.joined(separator: "&").utf8))
        }
    }

    /// The part of a field, whose file must be there.
    private func part(_ text: String) throws(Problem) -> MultipartForm.Part {
        guard let field = FormField(text) else {
            throw Problem(option: .form, sentence: "behind a file only ;type= and ;filename= are known")
        }
        if let path = field.path, access(path, R_OK) != 0 { throw unreadable(path, .form) }
        return field.part
    }

    /// A field as curl reads it: `name=text`, `=text`, `text`, `name@file` and `@file`.
    private func encoded(_ text: String) throws(Problem) -> String {
        let name = text.prefix { $0 != "=" && $0 != "@" }
        let rest = text.dropFirst(name.count)
        if rest.hasPrefix("@") {
            let bytes = try contents(of: String(rest.dropFirst()), for: .urlEncoded)
            return (name.isEmpty ? "" : name + "=") + FormText.encoded(bytes)
        }
        if rest.isEmpty { return FormText.encoded(name.utf8) }
        return (name.isEmpty ? "" : name + "=") + FormText.encoded(rest.dropFirst().utf8)
    }
}

extension JobIdentity {
    /// Finds what is wrong with the options of a job before anything begins.
    func check(_ job: Job) throws(UsageError) {
        guard !job.options.isEmpty else { return }
        var request = TransferRequest(url: job.url)
        do throws(Problem) {
            try complete(&request, of: job)
        } catch {
            throw error.usage
        }
    }
}
