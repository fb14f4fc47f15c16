import TransferValues

/// The options of the service itself.
extension AriaOption {
    static var ofServices: [AriaOption] {
        [
            AriaOption("auto-save-interval", .integer(0...600), "60", for: .service),
            AriaOption("disable-ipv6", .flag, "false", for: .service),
            AriaOption("download-result", .choice(["default", "full", "hide"]), "default", for: .service),
            AriaOption("enable-rpc", .flag, "true", for: .service),
            AriaOption("keep-unfinished-download-result", .flag, "true", for: .service),
            AriaOption("log", .text, for: .service),
            AriaOption(
                "log-level", .choice(["debug", "info", "notice", "warn", "error"]), "info", for: .service),
            AriaOption(
                "max-concurrent-downloads", .integer(1...64), for: .service,
                is: .service { change, text in
                    let perHost = change.tasks.limits.0.perHost
                    return Int(text).map { .setLimits(TransferLimits(all: $0, perHost: perHost)) }
                }),
            AriaOption("max-download-result", .integer(0...Int64(Int32.max)), "1000", for: .service),
            AriaOption(
                "max-overall-download-limit", .anySize, for: .service,
                is: .service { _, text in (try? RateSchedule(text)).map { .setDownloadRate($0) } }),
            AriaOption(
                "max-overall-upload-limit", .anySize, for: .service,
                is: .service { change, text in
                    guard let rate = try? RateSchedule(text) else { return nil }
                    var plan = change.tasks.limits.1
                    plan.upload = rate
                    return .setRates(plan)
                }),
            AriaOption("optimize-concurrent-downloads", .text, "false", for: .service),
            AriaOption("quiet", .flag, "true", for: .service),
            AriaOption("save-cookies", .text, for: .service),
            AriaOption("save-session", .text, for: .service),
            AriaOption("save-session-interval", .integer(0...Int64(Int32.max)), "0", for: .service),
            AriaOption("server-stat-if", .text, for: .service),
            AriaOption("server-stat-of", .text, for: .service),
            AriaOption("server-stat-timeout", .integer(0...Int64(Int32.max)), "86400", for: .service),
        ]
    }
}
