/// The options of the route to a server, and of trust in it.
extension JobOption {
    package static let proxy = record("proxy")
    package static let httpProxy = record("http-proxy")
    package static let httpsProxy = record("https-proxy")
    package static let noProxy = record("noproxy")
    package static let authorityFile = record("cacert")
    package static let authorityFolder = record("capath")
    package static let certificate = record("cert")
    package static let key = record("key")
    package static let keyPassword = record("pass")
    package static let resolve = record("resolve")
    package static let connectTo = record("connect-to")
    package static let interface = record("interface")
    package static let unixSocket = record("unix-socket")
    package static let insecure = record("insecure")
    package static let ipv4 = record("ipv4")
    package static let ipv6 = record("ipv6")
    package static let followsRedirects = record("location")
    package static let keepsRedirects = record("no-location")
    package static let mostRedirects = record("max-redirs")
    package static let keepsMethod = record("keep-method")
    package static let repeatsPOST301 = record("post301")
    package static let repeatsPOST302 = record("post302")
    package static let resend = record("resend")

    static var ofConnections: [JobOption] {
        [
            JobOption(
                "proxy", .proxy, "proxy: http, https, socks4, socks4a, socks5 or socks5h; empty for none",
                reach: .run, curl: ["--proxy", "-x"], aria: ["all-proxy"]
            ) { $0.request.proxies = ProxySettings($1, exceptions: $0.request.proxies?.exceptions ?? "") },
            JobOption(
                "http-proxy", .proxy, "proxy of http URLs, in place of --proxy; empty for none", reach: .run, curl: [],
                aria: ["http-proxy"]
            ) { $0.httpProxy = .some($1) },
            JobOption(
                "https-proxy", .proxy, "proxy of https URLs, in place of --proxy; empty for none", reach: .run,
                curl: [], aria: ["https-proxy"]
            ) { $0.httpsProxy = .some($1) },
            JobOption(
                "noproxy", .hosts, "hosts, addresses and networks to reach without a proxy; * for all",
                reach: .run, aria: ["no-proxy"]
            ) { $0.request.proxyExceptions = $1 },
            JobOption(
                "proxy-user", .credentials, "proxy credentials; @env:, @file: and @cmd: as for --user",
                reach: .run, curl: ["--proxy-user", "-U"]
            ) { $0.proxyUser = $1 },
            JobOption(
                "cacert", .file(), "file of CA certificates (PEM) to use instead of the system's", reach: .run,
                aria: ["ca-certificate"]
            ) { $0.authorities.file = $1 },
            JobOption("capath", .folder, "folder of CA certificates to use instead of the system's", reach: .run) {
                $0.authorities.folder = $1
            },
            JobOption(
                "cert", .file(), "client certificate (PEM or PKCS #12)", reach: .run, curl: ["--cert", "-E"],
                aria: ["certificate"]
            ) { $0.certificate = $1 },
            JobOption(
                "cert-type", .certificateFormat,
                "format of --cert: PEM or P12 (by the name: .p12 and .pfx are P12)", reach: .run
            ) { $0.certificateFormat = $1 },
            JobOption(
                "key", .file(), "private key of --cert, if it is in another file", reach: .run,
                aria: ["private-key"]
            ) { $0.key = $1 },
            JobOption(
                "pass", .secret("PASSWORD"),
                "password of --key or of a P12 --cert; @env:NAME, @file:PATH or @cmd:COMMAND reads it",
                reach: .run
            ) { $0.keyPassword = $1 },
            JobOption(
                "pin", .pins, "required public key of the server certificate, repeatable", isRepeatable: true,
                curl: ["--pinnedpubkey"]
            ) { $0.request.keyPins += $1 },
            JobOption(
                "insecure", "do not verify certificates (insecure)",
                memory: .none,
                curl: ["--insecure", "-k"]
            ) { $0.request.acceptsAnyCertificate = true },
        ]
    }

    /// Addresses and interfaces of connections, and time limits.
    static var ofEndpoints: [JobOption] {
        [
            JobOption(
                "resolve", .resolved, "use ADDR as the address of HOST:PORT, repeatable", reach: .run,
                isRepeatable: true
            ) { $0.request.connections.append($1) },
            JobOption(
                "connect-to", .redirected, "connect to H2:P2 instead of H1:P1, repeatable",
                reach: .run,
                isRepeatable: true
            ) { $0.request.connections.append($1) },
            JobOption(
                "interface", .text("NAME"), "connect from this interface or local address", reach: .run
            ) { $0.request.interface = $1 },
            JobOption("unix-socket", .file("PATH"), "connect through a Unix socket", reach: .run) {
                $0.request.unixSocket = $1
            },
            JobOption(
                "ipv4", "connect to IPv4 addresses only", letter: "4", reach: .run, matter: "ipv4 or ipv6",
                curl: ["--ipv4", "-4"], undo: anyAddress
            ) { $0.request.addressFamily = .ipv4 },
            JobOption(
                "ipv6", "connect to IPv6 addresses only", letter: "6", reach: .run, matter: "ipv4 or ipv6",
                curl: ["--ipv6", "-6"], undo: anyAddress
            ) { $0.request.addressFamily = .ipv6 },
            JobOption(
                "max-time", .timeLimit, "maximum time of a transfer, pauses excluded",
                curl: ["--max-time", "-m"]
            ) { $0.request.timeLimit = $1 },
            // curl waits for a response without a limit, and repeats no request.
            JobOption(
                "answer-timeout", .timeLimit, "timeout for the response after the request is sent (off)",
                curl: [], aria: ["timeout"]
            ) { $0.request.answerTimeout = $1 },
            JobOption(
                "resend", "repeat a PUT that was sent but got no response (may be stored twice)",
                curl: []
            ) { $0.request.repeatsUnansweredBodies = true },
            JobOption(
                "retry-on", .statuses, "further statuses to retry, such as 404,5xx; never for POST or PATCH", curl: []
            ) { $0.request.retriedStatuses = $1 },
            // curl has them too, and the other one is its default.
            JobOption(
                "location", "follow redirects (the default); with -X the method stays, as in curl", letter: "L",
                matter: "redirects", curl: [], opposite: "no-location"
            ) {
                $0.request.keepsRedirects = false
            },
            JobOption(
                "no-location", "do not follow redirects: one is the response of a request, and fails a download",
                matter: "redirects", curl: [], opposite: "location"
            ) { $0.request.keepsRedirects = true },
            // curl follows them all.
            JobOption(
                "allow-http-redirects", "follow redirects from https to http, without credentials", curl: []
            ) { $0.request.allowsPlainRedirects = true },
            JobOption("max-redirs", .redirects, "redirects to follow at most; -1 for no limit (50)") {
                $0.request.redirectLimit = $1
            },
            // curl keeps the method that -X names.
            JobOption(
                "keep-method", "keep the method after redirects 301, 302 and 303, without the body, as curl's -X",
                curl: []
            ) { $0.request.redirectMethods.keepsMethod = true },
            JobOption("post301", "repeat a POST with its body after redirect 301, which makes it GET") {
                $0.request.redirectMethods.repeated.insert(301)
            },
            JobOption("post302", "the same after redirect 302") { $0.request.redirectMethods.repeated.insert(302) },
            JobOption("post303", "the same after redirect 303") { $0.request.redirectMethods.repeated.insert(303) },
            JobOption(
                "max-filesize", .size, "fail if larger than SIZE, such as 500M; deletes the partial file",
                of: .downloads
            ) { $0.request.sizeLimit = $1 },
            // As in curl one of the two suffices: a time alone requires one byte per second.
            JobOption(
                "speed-limit", .size, "stall below SIZE per second, such as 1k",
                curl: ["--speed-limit", "-Y"]
            ) { $0.request.leastSpeed = LeastSpeed(bytesPerSecond: $1, seconds: $0.request.leastSpeed?.seconds ?? 30) },
            JobOption(
                "speed-time", .seconds(from: 1, to: 86_400, problem: OptionUsage.secondsFrom1),
                "period that --speed-limit measures (30)", curl: ["--speed-time", "-y"]
            ) {
                $0.request.leastSpeed = LeastSpeed(
                    bytesPerSecond: $0.request.leastSpeed?.bytesPerSecond ?? 1, seconds: $1)
            },
        ]
    }
}

extension JobOption {
    /// Both families, also where the session has one of them.
    private static let anyAddress: Setter = { terms in
        if terms.request.addressFamily == nil { terms.request.addressFamily = .any }
    }

    /// All options, in the order of the help.
    package static var allCases: [JobOption] { added.isEmpty ? table : table + added }

    /// Options beside the tables, for tests that add one and check every list.
    @TaskLocal package static var added: [JobOption] = []

    /// Without ``added``, so that lookups are built once.
    package static let table = ofConnections + ofTransport + ofIdentity + ofEndpoints + ofFiles + ofBodies + ofAnswers

    private static let byName = Dictionary(table.map { ($0.name, $0) }) { first, _ in first }

    package static func named(_ name: String) -> JobOption? {
        byName[name] ?? (added.isEmpty ? nil : added.first { $0.name == name })
    }

    /// The option of a name that is written in the code.
    static func record(_ name: String) -> JobOption {
        guard let option = byName[name] else { preconditionFailure("no table has the option \(name)") }
        return option
    }
}
