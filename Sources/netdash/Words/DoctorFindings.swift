import Dashboard

/// Findings of `doctor` on this machine: a fact, and what to do about it.
enum DoctorFindings {
    static func program(_ version: SafeText) -> SafeText { "netdash \(version)" }

    static func program(_ version: SafeText, on system: SafeText) -> SafeText { "netdash \(version) on \(system)" }

    static func problem(_ subject: SafeText, _ problem: SafeText) -> SafeText { "\(subject): \(problem)" }

    // MARK: - Libraries

    static func optionalFeatures(_ names: SafeText) -> SafeText { "This libcurl lacks \(names), which is optional" }

    static func neededFeatures(_ names: SafeText) -> SafeText {
        "This libcurl lacks \(names); install the libcurl of the system"
    }

    static let noJQ: SafeText = "not installed; install the package jq to use its language in --assert"

    // MARK: - Terminal

    static let noTerminal: SafeText = "stdout is not a terminal: plain lines, or --json"
    static let noTerminalType: SafeText = "TERM is not set"
    static let setTerminalType: SafeText =
        "Set TERM to the terminal type, such as xterm-256color, or install ncurses-term; or use --plain"
    static let enlargeWindow: SafeText = "Enlarge the window; the dashboard needs 20 x 5"
    static let utf8: SafeText = "UTF-8"
    static let font: SafeText = "▏▎▍▌▋▊▉█ ▸ ‖ ↻ ✗ ● (if these look like boxes, use --glyphs ascii)"
    static let noLocale: SafeText = "no locale"
    static let setLocale: SafeText = "The screen shows ASCII only; for all characters: export LANG=C.UTF-8"

    static func terminal(_ type: SafeText, _ columns: Int, _ rows: Int) -> SafeText {
        "\(type), \(columns) x \(rows)"
    }

    static func notUTF8(_ locale: SafeText) -> SafeText { "\(locale) is not UTF-8" }

    // MARK: - Certificates

    static let noCertificates: SafeText = "no CA certificates"
    static let installCertificates: SafeText = "https cannot work: install the package ca-certificates"
    static let correctCertificates: SafeText = "https cannot work: correct the variable, or unset it"

    static func certificates(_ count: Int, in path: SafeText) -> SafeText {
        "\(count, "CA certificate", "CA certificates") in \(path)"
    }

    static func certificateFolder(_ path: SafeText) -> SafeText { "folder \(path)" }

    static func noCertificates(in path: SafeText) -> SafeText { "no CA certificates in \(path)" }

    static func unreadable(_ path: SafeText) -> SafeText { "cannot read \(path)" }

    static func named(_ path: SafeText, by variable: SafeText) -> SafeText { "\(path) (\(variable))" }

    // MARK: - Network

    static let noProxy: SafeText = "none"
    static let correctProxy: SafeText = "Correct the variable, or unset it; --proxy '' ignores it"
    static let ignoredProxy: SafeText = "HTTP_PROXY is set, and ignored as in curl"
    static let lowerCaseProxy: SafeText = "Write http_proxy in lower case"
    static let noNameServers: SafeText = "no name server in /etc/resolv.conf"
    static let noNameConfiguration: SafeText = "no /etc/resolv.conf"
    static let namesMayFail: SafeText = "Host names may not resolve; IP addresses and /etc/hosts work"
    static let noRoute: SafeText = "no default route"
    static let localOnly: SafeText = "Only this machine and local networks are reachable"

    static func route(_ link: SafeText) -> SafeText { "default route: \(link)" }

    // MARK: - Clock

    static let setClock: SafeText = "Set the clock; certificates seem not yet valid"
    static let synchronizeClock: SafeText = "A wrong clock makes certificates seem expired"

    static func clockTooEarly(_ time: SafeText) -> SafeText { "\(time), earlier than this version of netdash" }

    static func clockNotSynchronized(_ time: SafeText) -> SafeText { "\(time), not synchronized by NTP" }

    // MARK: - Disk and limits

    static let otherFolder: SafeText = "Choose another folder: -d DIR"
    static let freeSpace: SafeText = "Free some space, or choose another folder: -d DIR"

    static func free(_ path: SafeText, _ size: SafeText) -> SafeText { "\(path), \(size) free" }

    static func openFiles(_ limit: Int64) -> SafeText { "\(limit) open files" }

    static func raiseLimit(_ tasks: Int) -> SafeText {
        "Of \(tasks) parallel tasks some will wait; raise it: ulimit -n"
    }

    // MARK: - Settings and sessions

    static let noHome: SafeText = "HOME and XDG_CONFIG_HOME are not set"
    static let setHome: SafeText = "Set HOME to keep settings and sessions"
    static let correctSettings: SafeText = "netdash does not start until this is corrected"
    static let commandsIgnored: SafeText = "Commands of such a file never run"
    static let sessionsUnusable: SafeText = "The list cannot be saved there; --ephemeral turns saving off"

    static func notPresent(_ path: SafeText) -> SafeText { "\(path) (not present)" }

    static func sessions(_ folder: SafeText, _ count: Int) -> SafeText { "\(folder), \(count) saved" }

    // MARK: - Service

    static let tasksInWindows: SafeText = "Tasks run in their window and end with it"
    static let serviceRuns: SafeText = "runs"
    static let serviceStarts: SafeText = "starts with the first window"
    static let serviceLasts: SafeText = "netdash.socket enabled, tasks continue after logout"
    static let serviceEnds: SafeText = "netdash.socket enabled, tasks end at logout"

    static func enableLinger(_ user: SafeText) -> SafeText {
        "loginctl enable-linger \(user) keeps tasks running after logout and starts them after a reboot"
    }

    // MARK: - Sum

    static let noErrors: SafeText = "no errors"

    static func errors(_ count: Int) -> SafeText { "\(count, "error", "errors")" }

    static func warnings(_ count: Int) -> SafeText { "\(count, "warning", "warnings")" }
}

/// Findings of `doctor` about a server.
enum ServerFindings {
    static let noResponse: SafeText = "no response"

    static func server(_ url: SafeText, _ words: SafeText) -> SafeText { "\(url): \(words)" }

    static func redirected(_ url: SafeText, _ target: SafeText) -> SafeText { "\(url) redirects to \(target)" }

    static let openLastURL: SafeText = "Open the URL in a browser, and give the final URL"

    static func from(_ peer: SafeText) -> SafeText { "from \(peer)" }

    static func resolved(_ milliseconds: Int) -> SafeText { "resolved after \(milliseconds) ms" }

    static func connected(_ milliseconds: Int) -> SafeText { "connected after \(milliseconds) ms" }

    static func secured(_ milliseconds: Int) -> SafeText { "TLS after \(milliseconds) ms" }

    static func answered(_ milliseconds: Int) -> SafeText { "response after \(milliseconds) ms" }

    // MARK: - How far a failure came

    static let notResolved: SafeText = "DNS lookup failed: see DNS, network and proxy above"
    static let notConnected: SafeText = "DNS ok, connection failed: see network and proxy above"
    static let notTLS: SafeText = "Connected, but the port speaks no usable TLS; for plain http write http://"
    static let tlsTimedOut: SafeText = "TLS timed out: see network above; for plain http write http://"
    static let tlsFailed: SafeText = "Connected, TLS failed: see clock and certificates above"
    static let notAnswered: SafeText = "Connected, no response; retry, or contact the operator"

    // MARK: - Clock

    static let oneClockIsWrong: SafeText = "One of the two is wrong; a wrong clock makes certificates seem expired"

    static func clockAhead(_ seconds: Int64) -> SafeText {
        "\(seconds, "second", "seconds") ahead of the server's clock"
    }

    static func clockBehind(_ seconds: Int64) -> SafeText {
        "\(seconds, "second", "seconds") behind the server's clock"
    }
}
