import Dashboard

/// Everyday words for options that neither their names nor their help contain, for `help WORD`.
enum OptionSynonyms {
    /// Words, and the long names of the options that they lead to.
    struct Entry: Sendable {
        let words: [String]
        let options: [String]

        init(_ words: String, _ options: String) {
            self.words = words.split(separator: " ").map(String.init)
            self.options = options.split(separator: " ").map(String.init)
        }
    }

    static let entries = [
        Entry("throttle bandwidth cap slow kbps", "limit-rate limit-upload limit-rate-per-host limit-rate-per-task"),
        Entry("throttle frequency requests-per-second", "rate rate-per-host"),
        Entry("parallel simultaneous concurrency threads workers", "max-concurrent max-per-host connections"),
        Entry("login auth authentication username password account", "user bearer netrc digest negotiate cookies-from"),
        Entry("secret token api-key oauth", "bearer secret-header keep-secrets"),
        Entry("kerberos spnego", "negotiate"),
        Entry("amazon signature bucket", "aws-sigv4"),
        Entry("certificate ssl tls https trust verify", "cacert capath cert pin insecure"),
        Entry("hash digest sum integrity verify", "checksum checksums find-checksum"),
        Entry("overwrite clobber existing duplicate", "if-exists archive"),
        Entry("destination target directory location filename rename", "dir out relative"),
        Entry("schedule timer later night window", "start-at only"),
        Entry("timeout patience hang", "connect-timeout stall-timeout answer-timeout max-time speed-limit"),
        Entry("reattempt again attempts", "retries retry-max-time retry-on retry-failed resend"),
        Entry("background daemon systemd", "no-service idle-exit session"),
        Entry("script machine parse automation", "json plain quiet"),
        Entry("verbose debug trace", "log log-level include"),
        Entry("sound alert beep desktop", "bell notify on-all-done"),
        Entry("simulate preview test", "dry-run"),
        Entry("segments chunks pieces split", "connections min-split"),
        Entry("agent browser", "user-agent cookies-from"),
        Entry("dns hosts address", "resolve connect-to ipv4 ipv6"),
        Entry("network device bind vpn", "interface"),
        Entry("monitor wait-for repeat", "poll until watch"),
        Entry("timestamp mtime date", "remote-time"),
        Entry("upload-form multipart field", "form data-urlencode"),
        Entry("theme colour unicode ascii", "color glyphs"),
    ]

    /// The names of the options that a word leads to, in any of its forms.
    static func names(for word: String) -> Set<String> {
        let found = entries.filter { entry in entry.words.contains { CommandSearch.isForm(word, of: $0) } }
        return Set(found.flatMap(\.options))
    }
}
