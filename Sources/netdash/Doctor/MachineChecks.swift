import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Judges facts about this machine by rules over plain values; the callers collect the facts.
enum MachineChecks {
    static func libraries(_ versions: [String], missing: [String]) -> Finding {
        let fact = SafeText(untrusted: versions.joined(separator: " "))
        guard !missing.isEmpty else { return Finding(topic: "libraries", fact: fact) }
        let words = SafeText(untrusted: missing.joined(separator: ", "))
        guard missing.contains("https") else {
            return .note("libraries", fact, advice: DoctorFindings.optionalFeatures(words))
        }
        return .wrong("libraries", fact, advice: DoctorFindings.neededFeatures(words))
    }

    /// The terminal on standard output; `size` is nil for none.
    static func terminal(type: String?, size: Size?, problem: String?) -> Finding {
        guard let size else {
            return Finding(topic: "terminal", fact: DoctorFindings.noTerminal)
        }
        let fact = DoctorFindings.terminal(
            type.map { SafeText(untrusted: $0) } ?? DoctorFindings.noTerminalType, size.columns, size.rows)
        if let problem {
            return .wrong(
                "terminal", DoctorFindings.problem(fact, SafeText(untrusted: problem)),
                advice: DoctorFindings.setTerminalType
            )
        }
        guard size.columns >= 20, size.rows >= 5 else {
            return .note("terminal", fact, advice: DoctorFindings.enlargeWindow)
        }
        return Finding(topic: "terminal", fact: fact)
    }

    /// The characters that the locale allows, and a sample for the eye.
    static func characters(isUTF8: Bool, locale: String) -> [Finding] {
        guard isUTF8 else {
            return [
                .note(
                    "characters",
                    locale.isEmpty
                        ? DoctorFindings.noLocale : DoctorFindings.notUTF8(SafeText(untrusted: locale)),
                    advice: DoctorFindings.setLocale)
            ]
        }
        return [
            Finding(topic: "characters", fact: DoctorFindings.utf8),
            Finding(
                topic: "font", fact: DoctorFindings.font),
        ]
    }

    /// The authorities that verify servers; `count` is nil for a file that cannot be read.
    static func authorities(file: String?, count: Int?, folder: String?, variable: String?) -> Finding {
        func shownPath(_ path: String) -> SafeText {
            let path = SafeText(untrusted: path)
            return variable.map { DoctorFindings.named(path, by: SafeText(untrusted: $0)) } ?? path
        }
        let repair = variable == nil ? DoctorFindings.installCertificates : DoctorFindings.correctCertificates
        if let file {
            let path = shownPath(file)
            guard let count else {
                return .wrong("certificates", DoctorFindings.unreadable(path), advice: repair)
            }
            guard count > 0 else {
                return .wrong("certificates", DoctorFindings.noCertificates(in: path), advice: repair)
            }
            return Finding(topic: "certificates", fact: DoctorFindings.certificates(count, in: path))
        }
        guard let folder else { return .wrong("certificates", DoctorFindings.noCertificates, advice: repair) }
        return Finding(topic: "certificates", fact: DoctorFindings.certificateFolder(shownPath(folder)))
    }

    /// The variable that programs must ignore: in a CGI program it is the client's header field Proxy.
    private static let withoutEffect = "HTTP_PROXY"

    /// The proxies of the environment, with passwords hidden.
    static func proxies(environment: [String: String], problem: String?) -> Finding {
        if let problem {
            return .wrong(
                "proxy", SafeText(untrusted: problem),
                advice: DoctorFindings.correctProxy)
        }
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        let set = names.compactMap { name -> SafeText? in
            guard let value = environment[name], !value.isEmpty else { return nil }
            let isList = name.lowercased() == "no_proxy"
            return SafeText(untrusted: name + "=" + (isList ? value : Redaction.url(value)))
        }
        if set.isEmpty, let value = environment[withoutEffect], !value.isEmpty {
            return .note(
                "proxy", DoctorFindings.ignoredProxy,
                advice: DoctorFindings.lowerCaseProxy)
        }
        return Finding(topic: "proxy", fact: set.isEmpty ? DoctorFindings.noProxy : set.joined(by: " "))
    }

    /// The name servers in the lines of resolv.conf; nil when the file does not exist.
    static func names(_ configuration: String?) -> Finding {
        let advice = DoctorFindings.namesMayFail
        guard let configuration else { return .note("DNS", DoctorFindings.noNameConfiguration, advice: advice) }
        let servers = configuration.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first == "nameserver" && words.count > 1 ? String(words[1]) : nil
        }
        guard !servers.isEmpty else {
            return .note("DNS", DoctorFindings.noNameServers, advice: advice)
        }
        return Finding(topic: "DNS", fact: SafeText(untrusted: servers.joined(separator: ", ")))
    }

    /// The route to the internet; nil for none.
    static func route(_ link: String?) -> Finding {
        guard let link else {
            return .note("network", DoctorFindings.noRoute, advice: DoctorFindings.localOnly)
        }
        return Finding(topic: "network", fact: DoctorFindings.route(SafeText(untrusted: link)))
    }

    /// The clock in seconds since 1970, and whether the system synchronises it; nil where unknown.
    static func clock(_ now: Int64, isKept: Bool?) -> Finding {
        let fact = SafeText(untrusted: String(Timestamp(milliseconds: now * 1000).rfc3339.prefix(19)) + "Z")
        guard now >= Product.builtAfter else {
            return .wrong("clock", DoctorFindings.clockTooEarly(fact), advice: DoctorFindings.setClock)
        }
        guard isKept == false else { return Finding(topic: "clock", fact: fact) }
        return .note("clock", DoctorFindings.clockNotSynchronized(fact), advice: DoctorFindings.synchronizeClock)
    }

    /// The folder for downloads: why it cannot be written, or its free bytes.
    static func disk(_ folder: String, problem: String?, free: Int64?) -> Finding {
        let path = SafeText(untrusted: folder)
        if let problem {
            return .wrong(
                "downloads", DoctorFindings.problem(path, SafeText(untrusted: problem)),
                advice: DoctorFindings.otherFolder)
        }
        guard let free else { return Finding(topic: "downloads", fact: path) }
        let fact = DoctorFindings.free(path, SizeText.long(free))
        guard free >= 256 << 20 else {
            return .note("downloads", fact, advice: DoctorFindings.freeSpace)
        }
        return Finding(topic: "downloads", fact: fact)
    }

    /// The limit of open files, for a number of concurrent transfers.
    static func descriptors(_ limit: Int64, concurrent: Int) -> Finding {
        let fact = DoctorFindings.openFiles(limit)
        guard limit < Int64(concurrent) * 4 + 64 else { return Finding(topic: "limits", fact: fact) }
        return .note(
            "limits", fact,
            advice: DoctorFindings.raiseLimit(concurrent))
    }

    /// The program that runs conditions in its language.
    static func jq(path: String?) -> Finding {
        Finding(topic: "jq", fact: path.map { SafeText(untrusted: $0) } ?? DoctorFindings.noJQ)
    }

    /// The user's settings: the file, and its problem.
    static func configuration(path: String?, exists: Bool, problem: String?, warning: SafeText? = nil) -> Finding {
        guard let path else {
            return .note("settings", DoctorFindings.noHome, advice: DoctorFindings.setHome)
        }
        if let problem {
            return .wrong("settings", SafeText(untrusted: problem), advice: DoctorFindings.correctSettings)
        }
        if let warning { return .note("settings", warning, advice: DoctorFindings.commandsIgnored) }
        let file = SafeText(untrusted: path)
        return Finding(topic: "settings", fact: exists ? file : DoctorFindings.notPresent(file))
    }

    /// The folder of saved sessions, and why it cannot be used.
    static func sessions(folder: String?, problem: String?, count: Int) -> Finding? {
        guard let folder else { return nil }
        let path = SafeText(untrusted: folder)
        if let problem {
            return .wrong(
                "sessions", DoctorFindings.problem(path, SafeText(untrusted: problem)),
                advice: DoctorFindings.sessionsUnusable)
        }
        return Finding(topic: "sessions", fact: DoctorFindings.sessions(path, count))
    }
}
