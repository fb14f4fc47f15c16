/// The texts of faults of a job, which are also causes of dead letters.
package enum JobFaults {
    package static let longURL = "URL longer than 8,192 bytes"
    package static let spaceInURL = "URL with a space or control character; percent-encode it"
    package static let noScheme = "not a URL; write http://… or https://…"
    package static let otherScheme = "URL scheme not supported; use http or https"
    package static let badHost = "URL with an invalid host or port"
    /// As netdash has it.
    package static func badPort(_ port: String) -> String { "URL: invalid port \"\(port)\"; use 1 to 65535" }
    package static let userInfo = "URL with user info; remove it and write auth=@env:NAME or auth=@file:PATH"
    package static func secretParameter(_ name: String) -> String {
        "URL with a secret in ?\(name)=; remove it and write query=\(name)=@env:NAME"
    }
    package static func plainSecret(_ name: String) -> String {
        "\(name) holds a secret; write @env:NAME, @file:PATH or @cmd:COMMAND instead"
    }
    package static func partialReference(_ name: String) -> String {
        "\(name) has a reference within its value; write the reference alone, with the other words in the secret"
    }

    package static let noName = "URL names no file; write out=NAME"
    package static let longDestination = "destination empty or longer than 1,000 bytes"
    package static let longName = "file name longer than 255 bytes"
    package static let notRelative = "destination is not a path below the worker's folder"
    package static let traversal = "destination with an empty part, . or .."
    package static let controlInDestination = "destination with a control character"
    package static func otherURL(_ destination: String) -> String {
        "destination \(destination) belongs to another URL"
    }

    package static let badChecksum = "invalid checksum; write ALGORITHM=HEX, such as sha-256=…"
    package static let badPriority = "invalid priority; use -100 to 100"
    package static let longField = "header or request too long"
    package static let controlInField = "header or option with a control character"
    package static let noValue = "header or query without a value; write header=NAME: VALUE or query=NAME=VALUE"
    package static func rangeField(_ name: String) -> String {
        "header \(name) would make a piece of the file the whole; leave it out, workers ask for ranges themselves"
    }
    package static let badRequest = "stored request is not valid"
    package static let otherHost = "URL is not of the host that the queue has for it"
    package static let otherKind = "not a download"
    package static func unknownOption(_ name: String) -> String { "unknown option \(name)" }
    package static let noURL = "option without a URL above it"
    package static let notText = "line is not UTF-8"
    package static let longLine = "line longer than 64 KiB"
}
