/// aria2's arguments without an effect here.
///
/// Each has the values that ask for what netdash does by itself: they are accepted silently, and any other is named.
extension AriaArgument {
    static let withoutEffect: [AriaArgument] = ofFiles + ofConnections + ofProcess + ofTorrents + ofOtherProtocols

    /// Existing and partial files, sources and digests.
    private static let ofFiles: [AriaArgument] = [
        // A checksum is verified always.
        usual("check-integrity", "V", .flag, does: "true", "false"),
        usual("allow-piece-length-change", nil, .flag, does: "false"),
        usual("always-resume", nil, .flag, does: "true"),
        usual("file-allocation", "a", does: "none", "prealloc"),
        usual("force-save", nil, .flag, does: "false"), usual("gid"),
        usual("hash-check-only", nil, .flag, does: "false"),
        usual("max-resume-failure-tries", does: "0"),
        usual("no-file-allocation-limit", does: "5M", "5242880"),
        usual("piece-length", does: "1M", "1048576"),
        usual("realtime-chunk-checksum", nil, .flag, does: "true"),
        usual("remove-control-file", nil, .flag, does: "false"),
        usual("reuse-uri", nil, .flag, does: "true"),
        usual("save-not-found", nil, .flag, does: "true"),
        usual("server-stat-if"), usual("server-stat-of"), usual("server-stat-timeout", does: "86400"),
        usual("stream-piece-selector", does: "default"), usual("uri-selector", does: "feedback"),
    ]

    private static let ofConnections: [AriaArgument] = [
        usual("async-dns", nil, .flag, does: "true"), usual("async-dns-server"),
        usual("enable-async-dns6", nil, .flag, does: "true"),
        usual("content-disposition-default-utf8", nil, .flag, does: "false"),
        usual("dscp", does: "0"),
        usual("enable-http-keep-alive", nil, .flag, does: "true"),
        usual("enable-http-pipelining", nil, .flag, does: "false"),
        usual("http-accept-gzip", nil, .flag, does: "false"),
        usual("http-auth-challenge", nil, .flag, does: "false"),
        usual("max-upload-limit", "u", does: "0"), usual("multiple-interface"),
        usual("no-want-digest-header", nil, .flag, does: "false"),
        usual("proxy-method", does: "get"),
        usual("retry-wait", does: "0"), usual("socket-recv-buffer-size", does: "0"),
        usual("use-head", nil, .flag, does: "false"),
    ]

    private static let ofProcess: [AriaArgument] = [
        usual("auto-save-interval", does: "60"),
        usual("console-log-level", does: "notice"), usual("summary-interval", does: "60"),
        usual("show-console-readout", nil, .flag, does: "true"),
        usual("truncate-console-readout", nil, .flag, does: "true"),
        usual("enable-color", nil, .flag, does: "true"), usual("human-readable", nil, .flag, does: "true"),
        usual("download-result", does: "default"), usual("stderr", nil, .flag, does: "false"),
        usual("deferred-input", nil, .flag, does: "false"),
        usual("disk-cache", does: "16M", "16777216"), usual("enable-mmap", nil, .flag, does: "false"),
        usual("max-mmap-limit", does: "9223372036854775807"),
        usual("event-poll", does: "epoll"), usual("rlimit-nofile", does: "1024"),
        usual("keep-unfinished-download-result", nil, .flag, does: "true"),
        usual("max-download-result", does: "1000"),
        usual("on-download-start"), usual("on-download-pause"), usual("on-download-stop"),
        usual("on-download-complete"), usual("on-download-error"),
        usual("optimize-concurrent-downloads", nil, .optional, does: "false"),
        usual("rpc-max-request-size", does: "2M", "2097152"),
        usual("rpc-save-upload-metadata", nil, .flag, does: "true"),
        usual("save-session-interval", does: "0"), usual("stop", does: "0"), usual("stop-with-process"),
    ]

    private static let ofTorrents: [AriaArgument] = [
        usual("bt-detach-seed-only", nil, .flag, does: "false"),
        usual("bt-enable-hook-after-hash-check", nil, .flag, does: "true"),
        usual("bt-enable-lpd", nil, .flag, does: "false"), usual("bt-exclude-tracker"), usual("bt-external-ip"),
        usual("bt-force-encryption", nil, .flag, does: "false"),
        usual("bt-hash-check-seed", nil, .flag, does: "true"),
        usual("bt-load-saved-metadata", nil, .flag, does: "false"), usual("bt-lpd-interface"),
        usual("bt-max-open-files", does: "100"), usual("bt-max-peers", does: "55"),
        usual("bt-metadata-only", nil, .flag, does: "false"), usual("bt-min-crypto-level", does: "plain"),
        usual("bt-prioritize-piece", nil, .optional),
        usual("bt-remove-unselected-file", nil, .flag, does: "false"),
        usual("bt-request-peer-speed-limit", does: "50K", "51200"),
        usual("bt-require-crypto", nil, .flag, does: "false"),
        usual("bt-save-metadata", nil, .flag, does: "false"),
        usual("bt-seed-unverified", nil, .flag, does: "false"), usual("bt-stop-timeout", does: "0"),
        usual("bt-tracker"), usual("bt-tracker-connect-timeout", does: "60"),
        usual("bt-tracker-interval", does: "0"), usual("bt-tracker-timeout", does: "60"),
        usual("dht-entry-point"), usual("dht-entry-point6"), usual("dht-file-path"), usual("dht-file-path6"),
        usual("dht-listen-addr6"), usual("dht-listen-port", does: "6881-6999"),
        usual("dht-message-timeout", does: "10"), usual("enable-dht", nil, .flag, does: "true"),
        usual("enable-dht6", nil, .flag, does: "false"),
        usual("enable-peer-exchange", nil, .flag, does: "true"),
        usual("follow-torrent", does: "true"), usual("listen-port", does: "6881-6999"),
        usual("on-bt-download-complete"), usual("pause-metadata", nil, .flag, does: "false"),
        usual("peer-agent", does: "aria2/1.36.0"), usual("peer-id-prefix", does: "A2-1-36-0-"),
        usual("seed-ratio", does: "1.0"), usual("seed-time"), usual("select-file"),
    ]

    private static let ofOtherProtocols: [AriaArgument] = [
        usual("follow-metalink", does: "true"), usual("metalink-base-uri"),
        usual("metalink-enable-unique-protocol", nil, .flag, does: "true"), usual("metalink-language"),
        usual("metalink-location"), usual("metalink-os"), usual("metalink-preferred-protocol", does: "none"),
        usual("metalink-version"),
        usual("ftp-passwd"), usual("ftp-pasv", "p", .flag, does: "true"), usual("ftp-proxy"),
        usual("ftp-proxy-passwd"), usual("ftp-proxy-user"),
        usual("ftp-reuse-connection", nil, .flag, does: "true"), usual("ftp-type", does: "binary"),
        usual("ftp-user"), usual("ssh-host-key-md"),
    ]
}
