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
            return .note(
                "libraries", fact, advice: "This libcurl was built without " + words + "; transfers do without")
        }
        return .wrong(
            "libraries", fact, advice: "This libcurl was built without " + words + "; install the system's own")
    }

    /// The terminal on standard output; `size` is nil for none.
    static func terminal(type: String?, size: Size?, problem: String?) -> Finding {
        guard let size else {
            return Finding(topic: "terminal", fact: "standard output is not one: lines go there, or JSON with --json")
        }
        let fact =
            SafeText(untrusted: type ?? "without a type") + ", " + SafeText(size.columns) + " x " + SafeText(size.rows)
        if let problem {
            return .wrong(
                "terminal", fact + ": " + SafeText(untrusted: problem),
                advice:
                    "Set TERM to what the terminal is, such as xterm-256color, or install ncurses-term; --plain does without"
            )
        }
        guard size.columns >= 20, size.rows >= 5 else {
            return .note("terminal", fact, advice: "The dashboard needs 20 x 5 to show a table; make the window larger")
        }
        return Finding(topic: "terminal", fact: fact)
    }

    /// The characters that the locale allows, and a sample for the eye.
    static func characters(isUTF8: Bool, locale: String) -> [Finding] {
        guard isUTF8 else {
            return [
                .note(
                    "characters", SafeText(untrusted: locale.isEmpty ? "no locale" : locale) + " is not UTF-8",
                    advice: "Gauges and names are drawn in ASCII; export LANG=C.UTF-8 shows them as they are")
            ]
        }
        return [
            Finding(topic: "characters", fact: "UTF-8"),
            Finding(
                topic: "font", fact: "▏▎▍▌▋▊▉█ ▸ ‖ ↻ ✗ ● are blocks and marks; if you see boxes there: --glyphs ascii"),
        ]
    }

    /// The authorities that verify servers; `count` is nil for a file that cannot be read.
    static func authorities(file: String?, count: Int?, folder: String?, variable: String?) -> Finding {
        let origin = variable.map { " (" + SafeText(untrusted: $0) + ")" } ?? ""
        let repair: SafeText =
            variable == nil
            ? "No https server can be believed: install the package ca-certificates"
            : "No https server can be believed: correct the variable, or unset it"
        if let file {
            let path = SafeText(untrusted: file)
            guard let count else { return .wrong("certificates", path + origin + " cannot be read", advice: repair) }
            guard count > 0 else { return .wrong("certificates", path + origin + " holds none", advice: repair) }
            return Finding(topic: "certificates", fact: SafeText(count) + " authorities in " + path + origin)
        }
        guard let folder else { return .wrong("certificates", "no authorities are named anywhere", advice: repair) }
        return Finding(topic: "certificates", fact: "the folder " + SafeText(untrusted: folder) + origin)
    }

    /// The variable that programs must ignore: in a CGI program it is the client's header field Proxy.
    private static let withoutEffect = "HTTP_PROXY"

    /// The proxies of the environment, with passwords hidden.
    static func proxies(environment: [String: String], problem: String?) -> Finding {
        if let problem {
            return .wrong(
                "proxy", SafeText(untrusted: problem),
                advice: "Correct the variable, or unset it; --proxy '' does without")
        }
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        let set = names.compactMap { name -> SafeText? in
            guard let value = environment[name], !value.isEmpty else { return nil }
            let isList = name.lowercased() == "no_proxy"
            return SafeText(untrusted: name + "=" + (isList ? value : Redaction.url(value)))
        }
        if set.isEmpty, let value = environment[withoutEffect], !value.isEmpty {
            return .note(
                "proxy", SafeText(untrusted: withoutEffect) + " is set and has no effect, as in curl",
                advice: "Write it in small letters: http_proxy")
        }
        return Finding(topic: "proxy", fact: set.isEmpty ? "none" : set.joined(by: " "))
    }

    /// The name servers in the lines of resolv.conf; nil when the file does not exist.
    static func names(_ configuration: String?) -> Finding {
        let advice: SafeText = "Names of servers may not be found; numbers and /etc/hosts work"
        guard let configuration else { return .note("names", "there is no /etc/resolv.conf", advice: advice) }
        let servers = configuration.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first == "nameserver" && words.count > 1 ? String(words[1]) : nil
        }
        guard !servers.isEmpty else {
            return .note("names", "/etc/resolv.conf names no server", advice: advice)
        }
        return Finding(topic: "names", fact: "asked of " + SafeText(untrusted: servers.joined(separator: ", ")))
    }

    /// The route to the internet; nil for none.
    static func route(_ link: String?) -> Finding {
        guard let link else {
            return .note(
                "network", "no way out", advice: "Only servers on this machine and in its networks can be reached")
        }
        return Finding(topic: "network", fact: "a way out: " + SafeText(untrusted: link))
    }

    /// The clock in seconds since 1970, and whether the system synchronises it; nil where unknown.
    static func clock(_ now: Int64, isKept: Bool?) -> Finding {
        let fact = SafeText(untrusted: String(Timestamp(milliseconds: now * 1000).rfc3339.prefix(19)) + "Z")
        guard now >= Product.builtAfter else {
            return .wrong(
                "clock", fact + ", before netdash was made",
                advice: "Certificates will seem not valid yet; set the clock")
        }
        guard isKept == false else { return Finding(topic: "clock", fact: fact) }
        return .note(
            "clock", fact + ", not kept by a time server", advice: "A wrong clock makes certificates seem expired")
    }

    /// The folder for downloads: why it cannot be written, or its free bytes.
    static func disk(_ folder: String, problem: String?, free: Int64?) -> Finding {
        let path = SafeText(untrusted: folder)
        if let problem {
            return .wrong(
                "downloads", path + ": " + SafeText(untrusted: problem), advice: "Name another folder: -d DIR")
        }
        guard let free else { return Finding(topic: "downloads", fact: path) }
        let fact = path + ", " + SizeText.long(free) + " free"
        guard free >= 256 << 20 else {
            return .note(
                "downloads", fact, advice: "A download that fills the disk stops; make room, or name another: -d DIR")
        }
        return Finding(topic: "downloads", fact: fact)
    }

    /// The limit of open files, for a number of concurrent transfers.
    static func descriptors(_ limit: Int64, concurrent: Int) -> Finding {
        let fact = SafeText(limit) + " open files"
        guard limit < Int64(concurrent) * 4 + 64 else { return Finding(topic: "limits", fact: fact) }
        return .note(
            "limits", fact,
            advice: "With " + SafeText(concurrent) + " transfers at once some will wait; raise it with ulimit -n")
    }

    /// The user's settings: the file, and its problem.
    static func configuration(path: String?, exists: Bool, problem: String?, warning: SafeText? = nil) -> Finding {
        guard let path else {
            return .note("settings", "the environment names no home", advice: "Set HOME to keep settings and sessions")
        }
        if let problem {
            return .wrong(
                "settings", SafeText(untrusted: problem), advice: "netdash does not start until it is corrected")
        }
        if let warning { return .note("settings", warning, advice: "Commands of such a file never run") }
        return Finding(topic: "settings", fact: SafeText(untrusted: path) + (exists ? "" : ", which is not there"))
    }

    /// The folder of saved sessions, and why it cannot be used.
    static func sessions(folder: String?, problem: String?, count: Int) -> Finding? {
        guard let folder else { return nil }
        let path = SafeText(untrusted: folder)
        if let problem {
            return .wrong(
                "sessions", path + ": " + SafeText(untrusted: problem),
                advice: "The dashboard cannot save its list there; --ephemeral does without")
        }
        return Finding(topic: "sessions", fact: path + ", " + SafeText(count) + " saved")
    }
}
