import Dashboard

/// A key of aria2's lists and session files with another name here, or without a meaning.
///
/// Each key without a meaning is reported once, so that users know it was ignored.
enum AriaKey: Equatable {
    /// Settings of a list with the same meaning.
    case settings([ListKey.Setting])
    /// A rule for an existing file, of which aria2 has several words.
    case ifExists(Job.IfExists)
    /// A user name or a password, which are one option here.
    case half(Half, of: JobOption)
    /// A limit on the connections of a download; the lowest of several counts.
    case connections(Int)
    /// The number by which aria2's clients know the task.
    case gid(String)
    case ignored
    /// One that would do the opposite of what it asks for; the text is a sentence.
    case refused(String)
    /// The default behaviour of netdash.
    case usual

    /// The halves of credentials, which aria2 has in separate lines.
    enum Half: Equatable {
        case name, password
    }

    /// Keys whose values mean the same under another name.
    private static let renamed: [String: String] = Dictionary(
        uniqueKeysWithValues: (ListKey.ofJobs + JobOption.table.map { ListKey($0) }).flatMap { key in
            key.ariaNames.map { ($0, key.name) }
        })

    private static let halves: [String: (Half, JobOption)] = [
        "http-user": (.name, .user), "http-passwd": (.password, .user),
        "all-proxy-user": (.name, .proxyUser), "all-proxy-passwd": (.password, .proxyUser),
        "http-proxy-user": (.name, .proxyUser), "http-proxy-passwd": (.password, .proxyUser),
        "https-proxy-user": (.name, .proxyUser), "https-proxy-passwd": (.password, .proxyUser),
    ]

    /// Keys about aria2's operation, not about the download.
    private static let meaningless: Set<String> = [
        "allow-piece-length-change", "always-resume", "async-dns",
        "connect-timeout", "content-disposition-default-utf8", "disable-ipv6", "enable-http-keep-alive",
        "enable-http-pipelining", "enable-mmap", "file-allocation", "force-save", "hash-check-only",
        "http-accept-gzip", "http-auth-challenge",
        "max-file-not-found", "max-mmap-limit", "max-resume-failure-tries", "max-tries",
        "metalink-preferred-protocol", "no-file-allocation-limit",
        "no-netrc", "parameterized-uri", "piece-length", "proxy-method", "realtime-chunk-checksum",
        "remove-control-file", "retry-wait", "reuse-uri", "rpc-save-upload-metadata", "save-not-found",
        "stream-piece-selector", "uri-selector",
    ]

    /// The meaning of a key of aria2; nil for an unknown one.
    init?(_ key: String, value: String) {
        if let name = Self.renamed[key] ?? JobOption.added.first(where: { $0.ariaNames.contains(key) })?.name {
            self = .settings([ListKey.Setting(name, value)])
        } else if let (half, option) = Self.halves[key] {
            self = value.isEmpty ? .ignored : .half(half, of: option)
        } else if key == "allow-overwrite" {
            self = value == "true" ? .ifExists(.overwrite) : .ignored
        } else if key == "auto-file-renaming" {
            self = value == "false" ? .ifExists(.fail) : .ignored
        } else if key == "dry-run" {
            self = value == "true" ? .refused(ListUsage.dryRun) : .ignored
        } else if key == "gid" {
            self = .gid(value)
        } else if key == "lowest-speed-limit" {
            self = value == "0" ? .ignored : .settings([ListKey.Setting(JobOption.leastSpeed.name, value)])
        } else if key == "split" || key == "max-connection-per-server" {
            // A download has at most 16 connections here.
            self = Int(value).map { .connections(min(max($0, 1), 16)) } ?? .ignored
        } else if key == "conditional-get" {
            self = value == "true" ? .ifExists(.refresh) : .ignored
        } else if key == "check-certificate" {
            self = value == "false" ? .settings([ListKey.Setting(JobOption.insecure.name, "yes")]) : .ignored
        } else if key == "http-no-cache" {
            let fields = HeaderFields.noCache.map { ListKey.Setting("header", "\($0.name): \($0.value)") }
            self = value == "true" ? .settings(fields) : .ignored
        } else if Self.meaningless.contains(key) || key.hasPrefix("bt-") || key.hasPrefix("ftp-") {
            self = .ignored
        } else {
            return nil
        }
    }

    /// The meaning of a key of a URL in a list of a command line of aria2c; nil where it means the same in every list.
    init?(inAria key: String, value: String, of url: String) {
        switch (key, value) {
        case ("referer", "*"): self = .settings([ListKey.Setting("referer", AriaCommand.referer(of: url))])
        case ("continue", "true"), ("conditional-get", "true"): self = .ifExists(.same)
        case ("continue", "false"): self = .usual
        default: return nil
        }
    }
}
