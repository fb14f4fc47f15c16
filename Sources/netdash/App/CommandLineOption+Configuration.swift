/// Which options may stand in the configuration file, and which of them exclude each other.
extension CommandLineOption {
    /// Whether it may be set for every run; the others belong to one.
    var isSetting: Bool {
        switch self {
        case .output, .input, .checksum, .method, .body, .version, .help, .helpKeys: false
        case .directory, .maximumConcurrent, .maximumPerHost, .continues, .startsOver, .ifExists, .header, .retries,
            .connectTimeout, .stallTimeout, .session, .ephemeral, .plain, .json, .quiet, .http2, .log, .logLevel,
            .framesPerSecond, .color, .glyphs, .mouse, .exitWhenDone:
            true
        }
    }

    /// What it decides, named by one of the options that do: whoever sets one of them leaves no room for the others.
    ///
    /// Headers add up, so they leave all the room there is.
    var subject: CommandLineOption {
        switch self {
        case .startsOver: .continues
        case .ephemeral: .session
        case .json, .quiet: .plain
        case .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .continues, .ifExists, .checksum,
            .header, .method, .body, .retries, .connectTimeout, .stallTimeout, .session, .plain, .http2, .log,
            .logLevel, .framesPerSecond, .color, .glyphs, .mouse, .exitWhenDone, .version, .help, .helpKeys:
            self
        }
    }

    /// The option that an answer of yes or no stands for; nil where no is what holds anyway.
    func chosen(_ isOn: Bool) -> CommandLineOption? {
        if isOn { return self }
        switch self {
        case .continues: return .startsOver
        case .startsOver: return .continues
        case .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .ifExists, .checksum, .header, .method,
            .body, .retries, .connectTimeout, .stallTimeout, .session, .ephemeral, .plain, .json, .quiet, .http2, .log,
            .logLevel, .framesPerSecond, .color, .glyphs, .mouse, .exitWhenDone, .version, .help, .helpKeys:
            return nil
        }
    }
}
