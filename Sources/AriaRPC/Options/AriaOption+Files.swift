import SessionSupport
import TransferValues

/// The options of files and of the tasks themselves.
extension AriaOption {
    static var ofFiles: [AriaOption] {
        [
            AriaOption(
                "allow-overwrite", .flag, "false",
                is: .job { draft, text in
                    draft.setIfExists(.overwrite, text == "true")
                }
            ) { $0.ifExists == .overwrite ? "true" : nil },
            AriaOption("allow-piece-length-change", .flag, "false"),
            AriaOption("always-resume", .flag, "true"),
            AriaOption(
                "auto-file-renaming", .flag, "true",
                is: .job { draft, text in
                    draft.setIfExists(.fail, text == "false")
                }
            ) { [.fail, .sameOrFail].contains($0.ifExists) ? "false" : nil },
            AriaOption("check-integrity", .flag, "false"),
            AriaOption(
                "checksum", .checksum,
                is: .job { draft, text in
                    draft.job.checksum = AriaValueKind.checksum(text)
                }
            ) { job in job.checksum.map { "\($0.algorithm.rawValue)=\($0.hex)" } },
            AriaOption(
                "conditional-get", .flag, "false",
                is: .job { draft, text in
                    draft.setIfExists(.refresh, text == "true")
                }
            ) { $0.ifExists == .refresh ? "true" : nil },
            AriaOption(
                "continue", .flag, "false",
                is: .job { draft, text in
                    draft.setIfExists(.same, text == "true")
                }
            ) { [.same, .sameOrFail].contains($0.ifExists) ? "true" : nil },
            AriaOption(
                "dir", .text,
                is: .job { (draft, text) throws(OptionProblem) in
                    draft.job.directory = text.isEmpty ? nil : try AriaPath.checked(text)
                }, read: \.directory),
            AriaOption("dry-run", .flag, "false"),
            AriaOption("file-allocation", .choice(["none", "prealloc", "trunc", "falloc"]), "none"),
            AriaOption("force-save", .flag, "false"),
            AriaOption("gid", .text),
            AriaOption("hash-check-only", .flag, "false"),
            AriaOption("max-file-not-found", .integer(0...Int64(Int32.max)), "0"),
            AriaOption("max-resume-failure-tries", .integer(0...Int64(Int32.max)), "0"),
            AriaOption("no-file-allocation-limit", .anySize, "5242880"),
            AriaOption(
                "out", .text,
                is: .job { (draft, text) throws(OptionProblem) in
                    guard let name = AriaPath.name(text) else { throw OptionProblem(AriaErrors.illegalArgument) }
                    draft.job.output = name.isEmpty ? .automatic : try AriaPath.output(name)
                }
            ) { $0.output.name },
            AriaOption("pause", .flag, is: .job { draft, text in draft.job.startsPaused = text == "true" }),
            AriaOption("piece-length", .size(1_048_576...1_073_741_824), "1048576"),
            AriaOption("realtime-chunk-checksum", .flag, "true"),
            AriaOption(
                "remote-time", .flag, "false",
                is: .job { (draft, text) throws(OptionProblem) in
                    try draft.set(.remoteTime, isOn: text == "true")
                }
            ) { $0.options.contains(.remoteTime) ? "true" : nil },
            AriaOption("remove-control-file", .flag, "false"),
            AriaOption("save-not-found", .flag, "true"),
        ]
    }
}

extension AriaDraft {
    /// Sets the rule for an existing file, or takes it back.
    fileprivate mutating func setIfExists(_ rule: Job.IfExists, _ isOn: Bool) {
        if isOn {
            job.ifExists = job.ifExists.combined(with: rule)
        } else if job.ifExists == .sameOrFail, rule == .same || rule == .fail {
            job.ifExists = rule == .same ? .fail : .same
        } else if job.ifExists == rule {
            job.ifExists = .rename
        }
    }
}

extension JobOption {
    fileprivate static var remoteTime: JobOption { named("remote-time") ?? .connections }
}

/// A path that a client or a command line of aria2c names.
package enum AriaPath {
    /// The value of `out`, which is relative to `dir` even with a slash in front; nil for one that would leave it.
    package static func name(_ text: String) -> String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("..") else { return nil }
        return String(text.drop { $0 == "/" })
    }

    /// The file of a name, unless it can be none.
    static func output(_ name: String) throws(OptionProblem) -> Job.Output {
        let name = try checked(name)
        do throws(UsageError) {
            return try JobDestination.output(named: name, label: "out")
        } catch {
            throw OptionProblem(AriaErrors.illegalArgument)
        }
    }

    /// The path, unless no file can have it.
    static func checked(_ text: String) throws(OptionProblem) -> String {
        let last = text.split(separator: "/").last
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let last, last != "-", last.utf8.count <= 255,
            !text.hasSuffix("/.."), text != ".."
        else { throw OptionProblem(AriaErrors.illegalArgument) }
        return text
    }
}
