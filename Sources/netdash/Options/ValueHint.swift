import Dashboard

/// The help that a shell can give with the value of an option.
enum ValueHint: Sendable, Equatable {
    /// Nothing, as with a number.
    case none
    /// One of some words.
    case words([String])
    /// Words that something is written behind at once.
    case stems([String])
    case file
    case folder
    /// A file behind an @; other text is itself.
    case fileBehindAt
    /// The name of a saved session.
    case session
}

/// The commands that take an option, and the help that a shell can give with it.
extension CommandLineOption {
    /// The commands that take the option.
    ///
    /// The others refuse it, but for `help`, which answers whatever else stands on the line.
    var commands: Set<ProgramCommand> {
        switch self {
        case .directory: [.download, .doctor]
        case .input, .continues, .startsOver, .ifExists, .checksum, .checksums, .retryFailed: [.download]
        case .method, .body, .include: [.upload, .request]
        case .output, .session, .globOff, .failedTo: [.download, .upload, .request]
        case .header, .http2: [.download, .upload, .request, .doctor]
        case .maximumConcurrent, .maximumPerHost, .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .retries, .retryMaxTime, .stallTimeout, .ephemeral, .plain, .json, .quiet, .log, .logLevel, .bell, .notify,
            .onComplete, .onError, .onAllDone, .framesPerSecond, .color,
            .glyphs,
            .mouse, .exitWhenDone:
            [.download, .upload, .request, .demo]
        case .connectTimeout: [.download, .upload, .request, .doctor, .demo]
        case .job(let option):
            if option.isBody {
                [.request]
            } else if option.isOfUploads {
                [.download, .upload]
            } else {
                option.isOfDownloads ? [.download] : [.download, .upload, .request, .doctor]
            }
        case .removesParts: [.parts]
        case .help: Set(ProgramCommand.allCases)
        case .version, .helpKeys: []
        }
    }

    /// Whether it asks something about the program, which is then answered whatever else stands on the line.
    var isQuestion: Bool {
        switch self {
        case .version, .help, .helpKeys: true
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .directory, .output, .input, .maximumConcurrent, .maximumPerHost, .continues, .startsOver, .ifExists,
            .checksum, .checksums, .failedTo, .retryFailed, .globOff, .header, .method, .body, .retries,
            .retryMaxTime, .connectTimeout,
            .stallTimeout, .session, .ephemeral, .plain,
            .json, .quiet, .http2, .log, .logLevel, .bell, .notify, .onComplete, .onError, .onAllDone, .framesPerSecond,
            .color, .glyphs, .mouse, .include, .exitWhenDone, .removesParts, .job:
            false
        }
    }

    /// The help that a shell can give with its value.
    var hint: ValueHint {
        switch self {
        case .directory: .folder
        case .output, .input, .log, .checksums, .failedTo: .file
        case .session: .session
        case .job(let option):
            switch option.operand {
            case .none, .text: .none
            case .file: option == .jsonBody ? .fileBehindAt : .file
            case .folder: .folder
            }
        case .body: .fileBehindAt
        case .ifExists: .words(Job.IfExists.allCases.map(\.rawValue))
        case .logLevel: .words(Settings.LogLevel.allCases.map(\.rawValue))
        case .bell, .notify: .words(TellingMoment.allCases.map(\.rawValue) + [TellingSettings.never])
        case .color: .words(Settings.Color.allCases.map(\.rawValue))
        case .glyphs: .words(GlyphSet.allCases.map(\.rawValue))
        case .method: .words(Self.commonMethods)
        case .checksum: .stems(Job.Checksum.Algorithm.allCases.map { $0.rawValue + "=" })
        case .limitRate, .limitUpload, .limitRatePerHost, .limitRatePerTask,
            .header, .maximumConcurrent, .maximumPerHost, .retries, .retryMaxTime, .connectTimeout, .stallTimeout,
            .framesPerSecond, .globOff, .retryFailed, .continues, .startsOver, .ephemeral, .plain, .json, .quiet,
            .http2, .onComplete,
            .onError, .onAllDone,
            .mouse, .include, .exitWhenDone, .removesParts,
            .version, .help, .helpKeys:
            .none
        }
    }

    /// The methods that people type; others are sent as well.
    static let commonMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Whether it means more when it stands there twice.
    var isRepeatable: Bool {
        if case .job(let option) = self { return option.isRepeatable }
        return self == .header || self == .input
    }

    /// The spellings, the short one first.
    var spellings: [String] { [shortName.map { "-\($0)" }, spelling].compactMap(\.self) }
}
