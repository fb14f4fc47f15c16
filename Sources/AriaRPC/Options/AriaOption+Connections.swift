import TransferValues

/// The options of connections, speeds and proxies.
extension AriaOption {
    static var ofConnections: [AriaOption] {
        [
            AriaOption("all-proxy", .text, is: .same) { $0.options.text(of: .proxy) },
            AriaOption("all-proxy-passwd", .text, is: .password(.proxyUser)),
            AriaOption("all-proxy-user", .text, is: .name(.proxyUser)),
            AriaOption("async-dns", .flag, "true"),
            AriaOption("connect-timeout", .seconds, "60"),
            AriaOption("enable-http-keep-alive", .flag, "true"),
            AriaOption("enable-http-pipelining", .flag, "false"),
            AriaOption("http-proxy", .text, is: .same) { $0.options.text(of: .httpProxy) },
            AriaOption("http-proxy-passwd", .text, is: .password(.proxyUser)),
            AriaOption("http-proxy-user", .text, is: .name(.proxyUser)),
            AriaOption("https-proxy", .text, is: .same) { $0.options.text(of: .httpsProxy) },
            AriaOption("https-proxy-passwd", .text, is: .password(.proxyUser)),
            AriaOption("https-proxy-user", .text, is: .name(.proxyUser)),
            AriaOption(
                "lowest-speed-limit", .anySize, "0",
                is: .job { (draft, text) throws(OptionProblem) in
                    try draft.set(.leastSpeed, text == "0" ? "" : text)
                }
            ) { $0.options.text(of: .leastSpeed) },
            AriaOption(
                "max-connection-per-server", .integer(1...16), "8", is: .connections,
                read: { $0.options.text(of: .connections) }),
            AriaOption("max-download-limit", .anySize, "0", is: .same) { job in
                job.rates?.download.map { String($0.rate ?? 0) }
            },
            AriaOption("max-tries", .integer(0...Int64(Int32.max)), "5"),
            AriaOption("max-upload-limit", .anySize, "0", is: .same) { job in
                job.rates?.upload.map { String($0.rate ?? 0) }
            },
            AriaOption("min-split-size", .size(1_048_576...1_073_741_824), "1048576", is: .same) {
                $0.options.text(of: .minimumSegment)
            },
            AriaOption("no-proxy", .text, is: .same) { $0.options.text(of: .noProxy) },
            AriaOption("proxy-method", .choice(["get", "tunnel"]), "get"),
            AriaOption("retry-wait", .integer(0...600), "0"),
            AriaOption("reuse-uri", .flag, "true"),
            AriaOption("split", .integer(1...Int64(Int32.max)), "8", is: .connections) {
                $0.options.text(of: .connections)
            },
            AriaOption("stream-piece-selector", .choice(["default", "inorder", "random", "geom"]), "default"),
            AriaOption("timeout", .seconds, "60", is: .same) { job in
                JobOption.named("answer-timeout").flatMap { job.options.text(of: $0) }
            },
            AriaOption("uri-selector", .choice(["inorder", "feedback", "adaptive"]), "feedback"),
        ]
    }
}

extension AriaOption.Effect {
    /// A limit on the connections of a download.
    fileprivate static var connections: Self { .job { draft, text in Int(text).map { draft.limitConnections($0) } } }

    static func name(_ option: JobOption) -> Self {
        .job { (draft, text) throws(OptionProblem) in try draft.setName(text, of: option) }
    }

    static func password(_ option: JobOption) -> Self {
        .job { (draft, text) throws(OptionProblem) in try draft.setPassword(text, of: option) }
    }
}
