/// Errors in the value of an option of requests, in words that follow its name.
package enum OptionUsage {
    // MARK: - Any value

    package static let tooLong = "longer than 1 MiB"
    package static let controlCharacter = "contains a line break or a control character"

    package static func empty(_ expected: String) -> String { "empty; expected \(expected)" }

    package static func notOneOf(_ text: String, _ words: String) -> String { "\"\(text)\" is not one of \(words)" }

    package static func notYesOrNo(_ text: String) -> String { "takes yes or no, got \"\(text)\"" }

    package static func rate(_ text: String, problem: String) -> String { "\"\(text)\" \(problem)" }

    package static let markTooLong = "longer than 1000 bytes"

    // MARK: - URLs

    package static let notAbsoluteURL = "not an absolute URL, such as https://host/file"

    package static func mirrorScheme(_ scheme: String) -> String { "unsupported scheme \(scheme); use http or https" }

    package static let proxyPort = "invalid proxy port; use 1 to 65535"
    package static let proxyForm = "expected scheme://host:port"

    package static func proxyScheme(_ scheme: String) -> String {
        "unsupported scheme \(scheme); use http, https, socks4, socks4a, socks5 or socks5h"
    }

    // MARK: - Numbers

    package static let bytes = "not a number of bytes, such as 5000, 20k, 500M or 2G"
    package static let segment = "not a number of bytes from 64k on, such as 512k, 4M or 1G"
    package static let resumption = "expected auto, tus, draft, content-range, s3 or off"
    package static let part = "not a number of bytes from 5M to 5G, such as 64M"
    package static let bodyDigest = "expected sha-256 or sha-512"
    package static let statuses = "expected statuses from 400 to 599, such as 404,5xx"
    package static let redirects = "expected 0 to 50 redirects, or -1 for any number"
    package static let secondsFrom01 = "not a number of seconds from 0.1 on"
    package static let secondsFrom1 = "not a number of seconds from 1 to 86400"

    package static func connections(most: Int) -> String { "expected auto or a number from 1 to \(most)" }

    // MARK: - Addresses and keys

    package static let resolved = "expected HOST:PORT:ADDR, IPv6 addresses in brackets"
    package static let resolvedPort = "invalid port; use 1 to 65535 in HOST:PORT:ADDR"
    package static let redirected = "expected H1:P1:H2:P2 (each may be empty), IPv6 addresses in brackets"
    package static let redirectedPort = "invalid port; use 1 to 65535 in H1:P1:H2:P2"
    package static let pin = "expected sha256// and 44 characters of Base64"

    // MARK: - Transport

    package static let secureVersion = "expected 1.2, 1.3 or default"
    package static let certificateFormat = "expected PEM or P12"
    package static let nameService = "not an https URL, such as https://dns.example/dns-query"
    package static let nameServiceUser = "a name and password are not sent to this server; leave them out"
    package static let serviceType = "expected CS0 to CS7, AF11 to AF43, EF, VA or LE, or a number from 0 to 255"
    package static let packetPriority = "not a number from 0 to 7"

    // MARK: - Credentials

    package static let environmentWithoutName = "@env: needs the name of a variable"
    package static let fileWithoutPath = "@file: needs a path"
    package static let commandMissing = "@cmd: needs a command"
    package static let emptySecret = "empty; expected a text, @env:VARIABLE, @file:PATH or @cmd:COMMAND"
    package static let secretField = "expected NAME:VALUE, such as X-Token:@cmd:COMMAND"
    package static let noPassword = "missing password; write NAME:PASSWORD, NAME:@env:VARIABLE or NAME:@file:PATH"
    package static let browser = "expected firefox or firefox:PROFILE"
    package static let fieldName = "expected the name of a header field, such as User-Agent"

    package static func neededField(_ name: String) -> String { "\(name) cannot be left out of a request" }

    package static let signing = "expected aws:amz:REGION:SERVICE, words of letters and digits"

    // MARK: - Forms

    package static let field = "expected NAME=VALUE, or NAME=@FILE for a file"
    package static let fieldOfFile = "only ;type= and ;filename= may follow a file"
}

/// Errors in the options in a line of the add form.
package enum OptionLineErrors {
    package static func unknown(_ name: String) -> String { "Unknown option \(name); netdash help WORD finds options" }

    /// For a name after a semicolon, which may be a part of the value before it.
    package static func unknownOrValue(_ name: String) -> String {
        "Unknown option \(name); in a value write \\; \(name)="
    }

    package static func ofField(_ name: String) -> String { "\(name) has a field of its own in this form" }

    package static func needsValue(_ name: String) -> String { "\(name) needs a value; write \(name)=value" }

    package static func switchValue(_ name: String) -> String { "\(name) is written alone, or with =yes or =no" }

    package static func hidden(_ name: String) -> String { "Retype the hidden value of \(name)" }

    package static func problem(_ name: String, _ problem: String) -> String { "\(name): \(problem)" }
}

/// Errors in changes of several tasks.
package enum AmendmentErrors {
    package static let empty = "Enter a change, such as user=me:secret"
    package static let header = "header: use header=Name: value"
    package static func oneTask(_ name: String) -> String { "\(name) is for one task; edit that one alone" }
}

/// Errors in a rate or a timetable of rates, in words that follow the text.
package enum RateUsage {
    package static let fraction = "needs a unit: 1.5k or 1.5M"
    package static let notRate = "is not a rate such as 512k, 1.5M or off"
    package static let notTimetable =
        "is not a rate such as 512k, 2M or off, or a timetable such as 08:00,512k 18:00,off"
    package static let notTwoRates = "is not one rate or two, such as 2M 512k or off"

    package static func twice(_ word: String) -> String { "sets the time of \"\(word)\" twice" }

    package static func notTime(_ word: String) -> String {
        "contains \"\(word)\"; write times such as 08:00,512k or Mon-08:00,off"
    }
}

/// Errors in the name of a file that is given.
package enum FileNameUsage {
    package static func folder(_ path: String) -> String { "\"\(path)\" is a folder; add a file name, or use -d" }

    package static func tooLong(_ limit: Int) -> String { "the name is longer than \(limit) bytes" }
}

/// Errors in a file of checksums.
package enum ChecksumListErrors {
    package static let notEntry = "expected a digest and a file name, as sha256sum prints them"

    package static func unread(_ list: SafeText, lines: SafeText, isOne: Bool) -> SafeText {
        isOne ? "\(list): no digest and name in line \(lines)" : "\(list): no digest and name in lines \(lines)"
    }

    package static func andMore(_ lines: SafeText, _ count: Int) -> SafeText { "\(lines) and \(count) more" }
}
