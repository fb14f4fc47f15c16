extension ForeignOption {
    /// The options that users of other tools type by habit.
    static let table: [ForeignOption] = ofFiles + ofRequests + ofConnections + ofLimits + ofOutput + ofRuns

    /// Downloads and their files.
    private static let ofFiles = [
        ForeignOption(
            "-O", "--remote-name", "--remote-name-all",
            is: .refused("is not needed: a download keeps its own name; -o NAME gives it another one")),
        ForeignOption("-J", "--remote-header-name", "--content-disposition", "--trust-server-names", is: .usual()),
        ForeignOption("--output", "--output-document", is: .same("out")),
        ForeignOption("-P", "--directory-prefix", "--output-dir", is: .same("dir")),
        ForeignOption("--create-dirs", "--always-resume", is: .usual()),
        ForeignOption("--auto-file-renaming", is: .choice(on: nil, off: Setting(name: "if-exists", value: "fail"))),
        ForeignOption("--file-allocation", "--piece-length", is: .usual(hasValue: true)),
        ForeignOption("-C", "--continue-at", is: .refused("is not needed: -c continues where a part ends, and is on")),
        ForeignOption("-nc", "--no-clobber", is: .same("if-exists", value: "skip")),
        ForeignOption("-N", "--timestamping", is: .same("if-exists", value: "refresh")),
        ForeignOption("--conditional-get", is: .choice(on: Setting(name: "if-exists", value: "refresh"), off: nil)),
        ForeignOption("--allow-overwrite", is: .choice(on: Setting(name: "if-exists", value: "overwrite"), off: nil)),
        ForeignOption("--input-file", is: .same("input")),
        ForeignOption("-K", "--config", is: .refused("reads no files of curl's; -i FILE reads a list of URLs")),
        ForeignOption("--url", is: .operand),
        ForeignOption("--force-sequential", "-Z", "--parallel", "--check-integrity", is: .usual()),
        ForeignOption("--min-split-size", is: .same("min-split")),
        ForeignOption("--parallel-max", "--max-concurrent-downloads", is: .same("max-concurrent")),
        ForeignOption("--split", "--max-connection-per-server", is: .same("connections")),
        ForeignOption(
            "-r", "--recursive", "--page-requisites", "-p", "-np", "--no-parent", "-l", "--level", "--accept",
            "--reject",
            is: .refused("is not taken: pages are not searched for links; -i FILE reads a list of URLs")),
        ForeignOption(
            "--range",
            is: .refused("is not taken; write netdash request -H 'Range: bytes=0-99' URL for a piece of a file")
        ),
        ForeignOption(
            "--torrent-file", "--seed-time", "--seed-ratio", "--follow-torrent", "--bt-max-peers", "--listen-port",
            is: .refused("is not taken: netdash does not speak BitTorrent")),
    ]

    /// Request bodies, headers and cookies.
    private static let ofRequests = [
        ForeignOption("--request", is: .same("method")),
        ForeignOption(
            "--data", "--data-raw", "--data-ascii", "--data-binary", "--post-data", "--raw", is: .same("body")),
        ForeignOption("--post-file", is: .refused("is not taken; write netdash request -b @FILE URL")),
        ForeignOption(
            "-G", "--get", is: .refused("is not taken: write the fields into the URL, as in 'https://host/?name=value'")
        ),
        ForeignOption(
            "-I", "--head", "--spider", is: .refused("is not taken; write netdash request HEAD --include URL")),
        ForeignOption("-T", "--upload-file", is: .refused("is not taken; write netdash upload FILE URL")),
        ForeignOption(
            "--form-string", is: .refused("is not taken; -F NAME=VALUE is a field, unless VALUE begins with @")),
        ForeignOption("--compressed", "--http-accept-gzip", "--http-no-cache", is: .usual()),
        ForeignOption("--no-cache", is: .same("header", value: "Cache-Control: no-cache")),
        ForeignOption("-L", "--location", "--follow", is: .usual()),
        ForeignOption(
            "--max-redirs", "--max-redirect", "--proto-redir",
            is: .refused("is not taken: up to 50 redirects are followed, and none from https to http")),
        ForeignOption(
            "--location-trusted",
            is: .refused("is not taken: name and password go to the host of the URL alone, redirects are followed")),
        ForeignOption("--auth", is: .same("user")),
        ForeignOption(
            "--http-user", "--http-passwd", "--http-password", "--password", "--ftp-user", "--auth-type",
            is: .refused("is not taken; write --user NAME:PASSWORD")),
        ForeignOption("--basic", "--anyauth", "--proxy-anyauth", "--proxy-basic", is: .usual()),
        ForeignOption(
            "--ntlm", "--proxy-ntlm", is: .refused("is not taken: NTLM is not spoken; --negotiate is Kerberos")),
        ForeignOption("--load-cookies", is: .same("cookie")),
        ForeignOption("--save-cookies", is: .same("cookie-jar")),
    ]

    /// Routes and TLS.
    private static let ofConnections = [
        ForeignOption("--no-check-certificate", is: .same("insecure")),
        ForeignOption("--check-certificate", is: .choice(on: nil, off: Setting(name: "insecure"))),
        ForeignOption("--verify", is: .choice(on: nil, off: Setting(name: "insecure"))),
        ForeignOption("--certificate", is: .same("cert")),
        ForeignOption("--ca-certificate", is: .same("cacert")),
        ForeignOption("--ca-directory", is: .same("capath")),
        ForeignOption("--private-key", is: .same("key")),
        ForeignOption("--all-proxy", "--http-proxy", "--https-proxy", is: .same("proxy")),
        ForeignOption("--no-proxy", is: .same("noproxy")),
        ForeignOption(
            "--socks4", "--socks4a", "--socks5", "--socks5-hostname",
            is: .refused("is not taken; write --proxy socks5h://HOST:PORT")),
        ForeignOption("--http1.1", "--tlsv1", "--tlsv1.2", "--tcp-nodelay", "--ssl-reqd", is: .usual()),
        ForeignOption("--keepalive-time", is: .usual(hasValue: true)),
        ForeignOption(
            "--proto", "--proto-default", "--https-only",
            is: .refused("is not taken: the URL's scheme is what is spoken; write https:// into it")),
        ForeignOption("--http3", "--http3-only", is: .refused("is not taken: HTTP/3 is not spoken; --http2 is")),
        ForeignOption("--tlsv1.3", "--tls-max", "--ciphers", is: .refused("is not taken: TLS 1.2 or 1.3 is agreed on")),
        ForeignOption(
            "--doh-url", "--dns-servers", "--dns-server",
            is: .refused("is not taken: the system's name servers are asked; --resolve HOST:PORT:ADDR names an address")
        ),
        ForeignOption("--bind-address", is: .same("interface")),
        ForeignOption("--inet4-only", is: .same("ipv4")),
        ForeignOption("--inet6-only", is: .same("ipv6")),
    ]

    /// Rates, retries and time limits.
    private static let ofLimits = [
        ForeignOption("--retry", is: .same("retries")),
        ForeignOption("-t", "--tries", "--max-tries", is: .tries),
        ForeignOption(
            "--retry-delay", "--retry-wait", "--waitretry", "--wait",
            is: .refused("is not taken: waits between tries grow by themselves; --retry-max-time bounds them")),
        ForeignOption("--retry-connrefused", is: .usual()),
        ForeignOption("--retry-all-errors", is: .same("retry-on", value: "4xx,5xx")),
        ForeignOption("--max-overall-download-limit", is: .same("limit-rate")),
        ForeignOption("--max-download-limit", "--max-upload-limit", is: .same("limit-rate-per-task")),
        ForeignOption("--max-overall-upload-limit", is: .same("limit-upload")),
        ForeignOption("--lowest-speed-limit", is: .same("speed-limit")),
        ForeignOption("--timeout", "--read-timeout", is: .several(["stall-timeout", "answer-timeout"])),
        ForeignOption("-f", "--fail", "--fail-with-body", is: .usual()),
    ]

    /// Output.
    private static let ofOutput = [
        ForeignOption("-s", "-q", "--silent", is: .same("quiet")),
        ForeignOption(
            "-S", "--show-error", "-#", "--progress-bar", "--no-progress-meter", "-nv", "--no-verbose",
            "--show-progress",
            "--enable-color", "--human-readable", is: .usual()),
        ForeignOption(
            "--progress", "--summary-interval", "--console-log-level", "--download-result", is: .usual(hasValue: true)),
        ForeignOption(
            "-v", "--verbose", "--trace", "--trace-ascii", "--debug", "--server-response",
            is: .refused("is not taken; request --include prints status and fields, --log FILE keeps what happened")),
        ForeignOption(
            "-w", "--write-out", is: .refused("is not taken; --json prints status, sizes and times of each task")),
        ForeignOption("-D", "--dump-header", is: .refused("is not taken; request --include prints status and fields")),
        ForeignOption("--output-file", "--append-output", is: .same("log")),
        ForeignOption("-a", is: .refused("is not taken; write --user NAME:PASSWORD, or --log FILE for a log")),
        ForeignOption("--print", "--headers", is: .refused("is not taken; --include prints status and fields, too")),
    ]

    /// Sessions and processes.
    private static let ofRuns = [
        ForeignOption("--save-session", is: .refused("is not taken; --session NAME saves tasks and goes on with them")),
        ForeignOption("--background", "--daemon", is: .refused("is not taken; write netdash --plain … & instead")),
        ForeignOption(
            "--enable-rpc", "--rpc-listen-port", "--rpc-secret",
            is: .refused("is not taken: netdash does not listen for other programs")),
        ForeignOption("--next", "-:", is: .refused("is not taken: run netdash once for each request")),
        ForeignOption(
            "--conf-path", is: .refused("is not taken; XDG_CONFIG_HOME names the folder of the configuration")),
    ]
}
