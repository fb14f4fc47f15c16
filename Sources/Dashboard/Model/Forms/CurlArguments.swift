/// curl's options without an equivalent here: which are harmless, and which take a value.
///
/// It has all of curl's options with a value, so that the value of an unsupported one is not taken for the URL.
enum CurlArguments {
    /// Options that change nothing here: netdash always decodes, retries and is quiet.
    static let harmless: Set<String> = [
        "-s", "--silent", "-S", "--show-error", "-v", "--verbose", "-i", "--include",
        "--show-headers", "-#",
        "--progress-bar", "--fail-with-body", "--fail-early", "--basic", "-g", "--globoff",
        "-N", "--no-buffer", "--http1.1", "--http2", "--http2-prior-knowledge", "-O", "--remote-name",
        "--remote-name-all", "--create-dirs",
        "--no-progress-meter",
        "--styled-output", "--tcp-nodelay", "--no-keepalive",
        "-1", "--tlsv1", "--tlsv1.0", "--tlsv1.1", "--ssl-reqd", "--retry-connrefused",
        "--retry-all-errors", "-Z", "--parallel", "--parallel-immediate", "-q", "--disable",
    ]

    static let shortValued = Set("AbCcDdEeFHhKmoPQrTtUuwXxYyz")

    /// Long options that take a value, without the dashes.
    static let longValued: Set<Substring> = Set(
        """
        abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to \
        continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode \
        delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine \
        etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port \
        ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256 hsts interface \
        ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port \
        login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer \
        output output-dir parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir \
        proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key \
        proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype \
        proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request \
        request-target resolve retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 \
        socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max \
        tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file \
        upload-flags url url-query user user-agent variable vlan-priority write-out
        """.split(separator: " "))

    private static let harmlessValued: Set<String> = [
        "--retry", "--retry-delay", "--retry-max-time", "--connect-timeout", "--keepalive-time", "--keepalive-cnt",
        "--parallel-max",
    ]

    static func takesValue(_ option: String) -> Bool {
        if option.hasPrefix("--") {
            let name = option.dropFirst(2)
            return longValued.contains(name) || name.hasPrefix("expand-") && longValued.contains(name.dropFirst(7))
        }
        return option.count == 2 && shortValued.contains(option.last ?? "-")
    }

    /// Whether omitting the option changes nothing.
    static func isHarmless(_ option: String) -> Bool {
        harmless.contains(option) || harmlessValued.contains(option)
    }
}
