import SessionSupport

/// The options of one request: the way to its server, whom to believe there, who asks, and what is sent.
///
/// The command line, input lists, the configuration file and the add form all know them by these names, so that the help,
/// the manual page and the completions can read one table.
package enum JobOption: String, Sendable, CaseIterable {
    case proxy
    case noProxy = "noproxy"
    case proxyUser = "proxy-user"
    case authorityFile = "cacert"
    case authorityFolder = "capath"
    case certificate = "cert"
    case key
    case keyPassword = "pass"
    case pin, insecure, user, digest, negotiate
    case amazonSignature = "aws-sigv4"
    case bearer, netrc
    case netrcFile = "netrc-file"
    case userAgent = "user-agent"
    case referer, cookie
    case cookieJar = "cookie-jar"
    case resolve
    case connectTo = "connect-to"
    case interface
    case unixSocket = "unix-socket"
    case ipv4, ipv6
    case maximumTime = "max-time"
    case answerTimeout = "answer-timeout"
    case resend
    case maximumFileSize = "max-filesize"
    case leastSpeed = "speed-limit"
    case leastSpeedTime = "speed-time"
    case remoteTime = "remote-time"
    case findChecksum = "find-checksum"
    case connections
    case minimumSegment = "min-split"
    case mirror, length
    case verifyOverlap = "verify-overlap"
    case resumable
    case form
    case urlEncoded = "data-urlencode"
    case jsonBody = "json-body"

    /// One option with its value, which is empty for one that takes none.
    package struct Value: Sendable, Equatable {
        package var option: JobOption
        package var text: String

        package init(_ option: JobOption, _ text: String = "") {
            self.option = option
            self.text = text
        }
    }

    /// What the value of an option is to somebody who completes it.
    package enum Operand: Sendable, Equatable {
        /// No value: it is on or off.
        case none
        case text
        case file
        case folder
    }

    /// What the tables say of an option.
    private struct Facts {
        var letter: Character?
        var valueName: String?
        var operand = Operand.text
        var summary: String

        init(_ valueName: String?, _ summary: String, letter: Character? = nil, operand: Operand = .text) {
            (self.valueName, self.summary, self.letter) = (valueName, summary, letter)
            self.operand = valueName == nil ? .none : operand
        }
    }

    private var facts: Facts {
        switch self {
        case .proxy: Facts("URL", "go through a proxy: http, https, socks4, socks4a, socks5 or socks5h; empty for none")
        case .noProxy: Facts("HOSTS", "names, addresses and networks that are reached without a proxy; * for all")
        case .proxyUser: Facts("NAME:PASSWORD", "name and password for the proxy; see --user for @env: and @file:")
        case .authorityFile: Facts("FILE", "believe the authorities of a PEM file, not the system's", operand: .file)
        case .authorityFolder: Facts("DIR", "believe the authorities of a folder, not the system's", operand: .folder)
        case .certificate: Facts("FILE", "the certificate shown to servers that ask, PEM", operand: .file)
        case .key: Facts("FILE", "the private key of --cert, when it is in another file", operand: .file)
        case .keyPassword: Facts("PASSWORD", "the password of that key, or its place: @env:NAME or @file:PATH")
        case .pin: Facts("sha256//BASE64", "a public key that the server's certificate must have, repeatable")
        case .insecure: Facts(nil, "believe the servers of the URLs whatever they show; anybody may listen then")
        case .user:
            Facts(
                "NAME:PASSWORD", "Basic, or Digest if it asks; the password, or both, may be @env:NAME or @file:PATH",
                letter: "u")
        case .digest: Facts(nil, "show the password of --user as Digest only, never in clear")
        case .negotiate: Facts(nil, "show a Kerberos ticket, which kinit gets, to a server that asks (SPNEGO)")
        case .amazonSignature:
            Facts("PROVIDER:...", "sign with the keys of --user, as Amazon's services want it: aws:amz:REGION:SERVICE")
        case .bearer: Facts("TOKEN", "the token for the URL's server, or its place: @env:NAME or @file:PATH")
        case .netrc: Facts(nil, "look for name and password in ~/.netrc")
        case .netrcFile: Facts("FILE", "look for name and password in FILE", operand: .file)
        case .userAgent: Facts("TEXT", "the name of the program that servers see (netdash)", letter: "A")
        case .referer: Facts("URL", "the page that the request comes from", letter: "e")
        case .cookie: Facts("NAME=VALUE|FILE", "send a cookie, or those of a file, and keep what servers set")
        case .cookieJar: Facts("FILE", "keep cookies, and write them to FILE at the end", operand: .file)
        case .resolve: Facts("HOST:PORT:ADDR", "take ADDR for the address of a host, repeatable")
        case .connectTo: Facts("H1:P1:H2:P2", "connect to host H2, port P2 in the stead of H1, P1, repeatable")
        case .interface: Facts("NAME", "connect from an interface or address of this machine")
        case .unixSocket: Facts("PATH", "connect to a socket of this machine", operand: .file)
        case .ipv4: Facts(nil, "connect to IPv4 addresses only", letter: "4")
        case .ipv6: Facts(nil, "connect to IPv6 addresses only", letter: "6")
        case .maximumTime: Facts("SECONDS", "the most seconds that a transfer may take, pauses not counted")
        case .answerTimeout: Facts("SECONDS", "the most seconds that a server may think about a whole request (off)")
        case .resend: Facts(nil, "send a PUT again that the server took whole and did not answer; it may have it twice")
        case .maximumFileSize: Facts("SIZE", "fail where a file has more bytes, such as 500M; what has come is removed")
        case .leastSpeed: Facts("SIZE", "an attempt that moves less than SIZE a second, such as 1k, has stalled")
        case .leastSpeedTime: Facts("SECONDS", "the time over which --speed-limit looks, pauses not counted (30)")
        case .remoteTime: Facts(nil, "give the file the time of its last change at the server", letter: "R")
        case .findChecksum: Facts(nil, "look for a checksum beside the file, and say when there is none")
        case .connections:
            Facts(
                "N|auto", "connections for a download, 1 to 16; auto for more only while they help (auto)", letter: "x")
        case .minimumSegment: Facts("SIZE", "the least bytes that a connection is made for (1M)", letter: "k")
        case .mirror: Facts("URL", "another place of the same file, repeatable; all URLs beside it are further ones")
        case .length: Facts("SIZE", "the bytes that the file has to have; a place with another number is not used")
        case .verifyOverlap:
            Facts(nil, "go on with a part that nothing vouches for when its last 64 KiB are the server's")
        case .resumable: Facts("WAY", "go on with uploads that are cut: auto, tus, draft or off (off)")
        case .form: Facts("NAME=VALUE", "a field of a form, or NAME=@FILE for a file, repeatable", letter: "F")
        case .urlEncoded: Facts("NAME=VALUE", "a field of a form in percent signs, or NAME@FILE, repeatable")
        case .jsonBody: Facts("TEXT|@FILE", "a body of JSON; the answer is asked for as JSON too", operand: .file)
        }
    }

    /// The letter of its short form on the command line.
    package var letter: Character? { facts.letter }
    /// The word that stands for its value; nil for one that is on or off.
    package var valueName: String? { facts.valueName }
    /// What its value is.
    package var operand: Operand { facts.operand }
    /// The words of the help.
    package var summary: String { facts.summary }

    /// Whether it means more when it stands there twice.
    package var isRepeatable: Bool {
        switch self {
        case .pin, .resolve, .connectTo, .cookie, .form, .urlEncoded, .mirror: true
        case .proxy, .noProxy, .proxyUser, .authorityFile, .authorityFolder, .certificate, .key, .keyPassword,
            .insecure,
            .user, .digest, .negotiate, .amazonSignature, .bearer, .netrc, .netrcFile, .userAgent, .referer, .cookieJar,
            .interface,
            .unixSocket,
            .ipv4, .ipv6, .maximumTime, .answerTimeout, .resend, .maximumFileSize, .leastSpeed, .leastSpeedTime,
            .remoteTime, .findChecksum, .connections, .minimumSegment, .length, .verifyOverlap, .resumable, .jsonBody:
            false
        }
    }

    /// Whether it is the body of a request.
    package var isBody: Bool { self == .form || self == .urlEncoded || self == .jsonBody }

    /// Whether it says something of files that are downloaded, and of nothing else.
    package var isOfDownloads: Bool {
        switch self {
        case .remoteTime, .findChecksum, .maximumFileSize, .connections, .minimumSegment, .mirror, .length,
            .verifyOverlap:
            true
        case .proxy, .noProxy, .proxyUser, .authorityFile, .authorityFolder, .certificate, .key, .keyPassword, .pin,
            .insecure, .user, .digest, .negotiate, .amazonSignature, .bearer, .netrc, .netrcFile, .userAgent, .referer,
            .cookie, .cookieJar, .resolve, .connectTo, .interface, .unixSocket, .ipv4, .ipv6, .maximumTime,
            .answerTimeout, .resend, .leastSpeed,
            .leastSpeedTime, .resumable, .form, .urlEncoded, .jsonBody:
            false
        }
    }

    /// Whether it says something of uploads, and of nothing else.
    package var isOfUploads: Bool { self == .resumable }

    /// Whether the option of a run holds for all of its requests, those of an earlier run included, and not only for the
    /// URLs it stands with.
    package var isOfRun: Bool {
        switch self {
        case .proxy, .noProxy, .proxyUser, .authorityFile, .authorityFolder, .certificate, .key, .keyPassword,
            .userAgent,
            .resolve, .connectTo, .interface, .unixSocket, .ipv4, .ipv6:
            true
        case .pin, .insecure, .user, .digest, .negotiate, .amazonSignature, .bearer, .netrc, .netrcFile, .referer,
            .cookie,
            .cookieJar,
            .maximumTime, .answerTimeout, .resend, .maximumFileSize, .leastSpeed, .leastSpeedTime, .remoteTime,
            .findChecksum,
            .connections, .minimumSegment, .mirror, .length, .verifyOverlap, .resumable, .form, .urlEncoded, .jsonBody:
            false
        }
    }

    /// Whether its value may name where a secret is: `@env:NAME` or `@file:PATH`.
    package var isSecret: Bool {
        switch self {
        case .proxyUser, .keyPassword, .user, .bearer: true
        case .proxy, .noProxy, .authorityFile, .authorityFolder, .certificate, .key, .pin, .insecure, .digest,
            .negotiate,
            .amazonSignature, .netrc, .netrcFile, .userAgent, .referer, .cookie, .cookieJar, .resolve, .connectTo,
            .interface, .unixSocket, .ipv4,
            .ipv6, .maximumTime, .answerTimeout, .resend, .maximumFileSize, .leastSpeed, .leastSpeedTime, .remoteTime,
            .findChecksum,
            .connections, .minimumSegment, .mirror, .length, .verifyOverlap, .resumable, .form, .urlEncoded,
            .jsonBody:
            false
        }
    }
}

extension JobOption.Value {
    /// What may be shown of the value: stars for what is secret, but not for the place of a secret.
    package var shownText: String { masked(.masked) }

    /// What may be stored of the value: the same, but random values whose names do not say that they are secrets stay.
    package var storableText: String { masked(.removed) }

    private func masked(_ userInfo: Redaction.UserInfo) -> String {
        switch option {
        case .user, .proxyUser:
            guard !SecretPlace.isPlace(text), let colon = text.firstIndex(of: ":") else {
                return SecretPlace.isPlace(text) ? text : Redaction.mask
            }
            let password = String(text[text.index(after: colon)...])
            return text[...colon] + (SecretPlace.isPlace(password) ? password : Redaction.mask)
        case .bearer, .keyPassword: return SecretPlace.isPlace(text) ? text : Redaction.mask
        case .cookie: return text.contains("=") ? text.prefix { $0 != "=" } + "=" + Redaction.mask : text
        case .proxy, .referer, .mirror:
            // A mask stays where a name was, so that what is stored is seen to lack it.
            return Redaction.url(text, userInfo: userInfo) == text ? text : Redaction.url(text)
        case .noProxy, .authorityFile, .authorityFolder, .certificate, .key, .pin, .insecure, .digest, .negotiate,
            .amazonSignature, .netrc, .netrcFile, .userAgent, .cookieJar, .resolve, .connectTo, .interface, .unixSocket,
            .ipv4, .ipv6, .maximumTime, .answerTimeout, .resend, .maximumFileSize, .leastSpeed, .leastSpeedTime,
            .remoteTime, .findChecksum,
            .connections, .minimumSegment, .length, .verifyOverlap, .resumable:
            return text
        case .form, .urlEncoded:
            guard let end = text.firstIndex(where: { $0 == "=" || $0 == "@" }), text[end] == "=",
                Redaction.hidesParameter(
                    String(text[..<end]), value: text[text.index(after: end)...], userInfo: userInfo)
            else { return text }
            return text[...end] + Redaction.mask
        // Which member is the secret is not looked for.
        case .jsonBody:
            return !text.hasPrefix("@") && Redaction.hidesMember(of: Array(text.utf8)) ? Redaction.mask : text
        }
    }

    /// Whether a mask is all that is left of the value.
    package var isHidden: Bool { text.contains(Redaction.mask) && text == shownText }

    /// The option as it stands in a line of options: `name=value`, or the name alone.
    package var line: String { option.operand == .none ? option.rawValue : option.rawValue + "=" + shownText }
}

extension [JobOption.Value] {
    /// The kinds of bodies, each once, in the order in which they stand there.
    package var bodyOptions: [JobOption] {
        reduce(into: []) { kinds, value in
            if value.option.isBody, !kinds.contains(value.option) { kinds.append(value.option) }
        }
    }
}

extension [Job] {
    /// The warning that nobody checks the certificates of some servers; nil while all are checked.
    package func trustWarning(further: [SafeText] = []) -> SafeText? {
        var hosts: [String] = []
        for job in self where job.options.contains(.insecure) {
            // A server of http shows no certificate.
            for url in [job.url] + job.options.filter({ $0.option == .mirror }).map(\.text) {
                let scan = URLScan(url)
                guard scan.isEncrypted, let host = scan.host.map({ String(url[$0]) }), !hosts.contains(host) else {
                    continue
                }
                hosts.append(host)
            }
        }
        var subjects = hosts.prefix(3).map { SafeText(untrusted: $0) }
        if hosts.count > 3 { subjects.append(SafeText(hosts.count - 3) + " more") }
        subjects += further
        guard !subjects.isEmpty else { return nil }
        return "The certificate of " + subjects.joined(by: ", ") + " is not checked, so anybody may listen (insecure)"
    }
}

/// The place of a secret, so that it need not be typed where others can read it.
package enum SecretPlace: Sendable, Equatable {
    case environment(String)
    case file(String)

    /// The place that a text names; nil for a text that stands for itself.
    package init?(_ text: String) {
        if text.hasPrefix("@env:") {
            self = .environment(String(text.dropFirst(5)))
        } else if text.hasPrefix("@file:") {
            self = .file(String(text.dropFirst(6)))
        } else {
            return nil
        }
    }

    /// Whether a text names a place.
    static func isPlace(_ text: String) -> Bool { SecretPlace(text) != nil }
}
