extension ForeignOption {
    /// Hints for letters with another meaning in other tools.
    static let meant = [
        "-c": "for a cookie jar use --cookie-jar FILE", "-k": "to skip certificate checks use --insecure",
        "-x": "for a proxy use --proxy URL",
    ]

    /// The options that users of other tools type by habit.
    static let table: [ForeignOption] = ofFiles + ofRequests + ofConnections + ofLimits + ofOutput + ofRuns

    /// Downloads and their files.
    private static let ofFiles = [
        ForeignOption(
            "-O", "--remote-name", "--remote-name-all",
            is: .refused("not needed: the name comes from the URL; use -o NAME for another one")),
        ForeignOption("-J", "--remote-header-name", "--content-disposition", "--trust-server-names", is: .usual()),
        ForeignOption("--output", "--output-document", is: .same("out")),
        ForeignOption("-P", "--directory-prefix", "--output-dir", is: .same("dir")),
        ForeignOption("--create-dirs", "--always-resume", is: .usual()),
        ForeignOption("--auto-file-renaming", is: .choice(on: nil, off: Setting(name: "if-exists", value: "fail"))),
        ForeignOption("--file-allocation", "--piece-length", is: .usual(hasValue: true)),
        ForeignOption("-C", "--continue-at", is: .refused("not needed: downloads resume by default (-c)")),
        ForeignOption("-nc", "--no-clobber", is: .same("if-exists", value: "skip")),
        ForeignOption("-N", "--timestamping", is: .same("if-exists", value: "refresh")),
        ForeignOption("--conditional-get", is: .choice(on: Setting(name: "if-exists", value: "refresh"), off: nil)),
        ForeignOption("--allow-overwrite", is: .choice(on: Setting(name: "if-exists", value: "overwrite"), off: nil)),
        ForeignOption("--input-file", is: .same("input")),
        ForeignOption("--url", is: .operand),
        ForeignOption("--download", is: .refused("not needed: netdash URL downloads; for another name use -o NAME")),
        ForeignOption(
            "--etag-save", "--etag-compare", "-z", "--time-cond",
            is: .refused("not supported; --if-exists refresh asks whether a file changed")),
        ForeignOption("--force-sequential", "-Z", "--parallel", "--check-integrity", is: .usual()),
        ForeignOption("--min-split-size", is: .same("min-split")),
        ForeignOption("--parallel-max", "--max-concurrent-downloads", is: .same("max-concurrent")),
        ForeignOption("--split", "--max-connection-per-server", is: .same("connections")),
        ForeignOption(
            "-r", "--recursive", "--page-requisites", "-p", "-np", "--no-parent", "-l", "--level",
            is: .refused("recursion and ranges are not supported; -i FILE reads a list of URLs")),
        ForeignOption(
            "--range",
            is: .refused("not supported; for a piece of a file use netdash request -H 'Range: bytes=0-99' URL")
        ),
        ForeignOption("--skip-existing", is: .same("if-exists", value: "skip")),
        ForeignOption(
            "--remove-on-error",
            is: .refused("not supported: a partial file stays for a resume; netdash parts --remove deletes it")),
        ForeignOption(
            "--torrent-file", "--seed-time", "--seed-ratio", "--follow-torrent", "--bt-max-peers", "--listen-port",
            is: .refused("BitTorrent is not supported")),
    ]

    /// Request bodies, headers and cookies.
    private static let ofRequests = [
        ForeignOption("--request", is: .same("method")),
        ForeignOption(
            "--data", "--data-raw", "--data-ascii", "--data-binary", "--post-data", "--raw", is: .same("body")),
        ForeignOption("--post-file", is: .refused("not supported; use netdash request -b @FILE URL")),
        ForeignOption(
            "-G", "--get", "--url-query",
            is: .refused("not supported; write the fields into the URL: 'https://host/?name=value'")
        ),
        ForeignOption(
            "-I", "--head", "--spider", is: .refused("not supported; use netdash request HEAD --include URL")),
        ForeignOption("-T", "--upload-file", is: .refused("not supported; use netdash upload FILE URL")),
        ForeignOption(
            "--form-string", is: .refused("not supported; use -F NAME=VALUE, unless VALUE begins with @")),
        ForeignOption("--compressed", "--http-accept-gzip", is: .usual()),
        ForeignOption(
            "--http-no-cache", is: .choice(on: Setting(name: "header", value: "Cache-Control: no-cache"), off: nil)),
        ForeignOption("--no-cache", is: .same("header", value: "Cache-Control: no-cache")),
        ForeignOption("--follow", is: .same("location")),
        ForeignOption("--no-follow", is: .same("no-location")),
        ForeignOption("--max-redirect", "--max-redirects", is: .same("max-redirs")),
        ForeignOption("--proto-redir", is: .refused("fixed: no redirect from https to http is followed")),
        ForeignOption(
            "--location-trusted",
            is: .refused("not supported: redirects are followed, but credentials go to the URL's host only")),
        ForeignOption("--expect100-timeout", is: .usual(hasValue: true)),
        ForeignOption("--request-target", is: .refused("not supported; the path of the URL is sent")),
        ForeignOption("--variable", is: .refused("not supported; {{name}} in a .http file is a variable")),
        ForeignOption("--auth", is: .same("user")),
        ForeignOption(
            "--http-user", "--http-passwd", "--http-password", "--password", "--ftp-user", "--auth-type",
            is: .refused("not supported; use --user NAME:PASSWORD")),
        ForeignOption("--basic", "--proxy-anyauth", "--proxy-basic", is: .usual()),
        ForeignOption("--proxy-ntlm", is: .refused("NTLM of proxies is not supported; --ntlm is for servers")),
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
        ForeignOption("--all-proxy", is: .same("proxy")),
        ForeignOption("--no-proxy", is: .same("noproxy")),
        ForeignOption(
            "--socks4", "--socks4a", "--socks5", "--socks5-hostname",
            is: .refused("not supported; use --proxy socks5h://HOST:PORT")),
        ForeignOption(
            "--http1.1", "-1", "--tlsv1", "--tcp-nodelay", "--ssl-reqd", "--ssl-no-revoke", "--ssl-revoke-best-effort",
            is: .usual()),
        ForeignOption("--keepalive-time", "--happy-eyeballs-timeout-ms", is: .usual(hasValue: true)),
        ForeignOption("-0", "--http1.0", is: .refused("not supported; HTTP/1.1 is used, or HTTP/2 with --http2")),
        ForeignOption(
            "--http2-prior-knowledge", is: .refused("not supported; --http2 asks for HTTP/2 over https")),
        ForeignOption("--no-keepalive", is: .refused("not supported; connections are kept for the next request")),
        ForeignOption("--crlfile", "--cert-status", is: .refused("not supported; --pin requires a server's key")),
        ForeignOption(
            "--proto", "--proto-default", "--https-only",
            is: .refused("not supported; the scheme of the URL decides, so write https:// there")),
        ForeignOption("--http3", "--http3-only", is: .refused("HTTP/3 is not supported; use --http2")),
        ForeignOption("--ciphers", is: .refused("not supported; for newer ciphers use --tlsv1.3")),
        ForeignOption("--certificate-type", is: .same("cert-type")),
        ForeignOption("--hsts-file", is: .same("hsts")),
        ForeignOption(
            "--dns-servers", "--dns-server",
            is: .refused("not supported; use --doh-url, or give an address with --resolve HOST:PORT:ADDR")
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
            is: .refused("not supported; delays grow with each retry, within --retry-max-time")),
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
            "--enable-color", "--human-readable", "--no-buffer", "--styled-output", "--disable", is: .usual()),
        ForeignOption(
            "--progress", "--summary-interval", "--console-log-level", "--download-result", is: .usual(hasValue: true)),
        ForeignOption(
            "-v", "--verbose", "--trace", "--trace-ascii", "--debug", "--server-response",
            is: .refused("not supported; use request --include for headers, --log FILE for events")),
        ForeignOption(
            "-w", "--write-out", is: .refused("not supported; --json prints status, sizes and times of each task")),
        ForeignOption("--stderr", is: .refused("not supported; use 2>FILE in the shell, or --log FILE")),
        ForeignOption("-M", "--manual", is: .refused("not supported; use man netdash")),
        ForeignOption("-D", "--dump-header", is: .refused("not supported; use request --include for headers")),
        ForeignOption("--output-file", "--append-output", is: .same("log")),
        ForeignOption("-a", is: .refused("not supported; use --user NAME:PASSWORD, or --log FILE for a log")),
        ForeignOption("--print", "--headers", is: .refused("not supported; use --include for status and headers")),
    ]

    /// Sessions and processes.
    private static let ofRuns = [
        ForeignOption("--save-session", is: .refused("not supported; --session NAME saves and resumes tasks")),
        ForeignOption("--background", "--daemon", is: .refused("not supported; use netdash --plain … &")),
        ForeignOption(
            "--enable-rpc", "--rpc-listen-port",
            is: .refused("not an option of a run; write netdash serve --rpc")),
        ForeignOption("-V", is: .same("version")),
        ForeignOption("--fail-early", is: .refused("not supported; other tasks continue after a failure")),
        ForeignOption("--next", "-:", is: .refused("not supported; run netdash once for each request")),
        ForeignOption(
            "--conf-path", is: .refused("not supported; XDG_CONFIG_HOME sets the configuration folder")),
    ]
}
