/// Errors in an option's value, behind the option's name.
package enum IdentityUsage {
    package static let keysMissing = "needs keys; add --user KEY:SECRET"
    package static let ticketWithUser = "a ticket replaces name and password; leave --user out"
    package static func address(_ text: String) -> String { "\"\(text)\" is not an address; write HOST:PORT:ADDR" }
    package static let proxyMissing = "needs a proxy; add --proxy"
    package static let certificateMissing = "needs a certificate; add --cert"
    package static let noNTLM = "this libcurl was built without NTLM; for Kerberos use --negotiate"
    package static let keyInCertificate = "a P12 certificate contains its key; leave --key out"
    package static let noVersionLeft = "--tlsv1.3 leaves no version; use --tls-max 1.3"
    package static let priorityRefused = "the system reserves this priority; use 0 to 6"
    package static func noProfile(_ name: String?) -> String {
        name.map { "no profile \"\($0)\" of Firefox has cookies" } ?? "no profile of Firefox found"
    }
    package static let passwordMissing = "password missing behind the name; write NAME:PASSWORD"
    package static func variableUnset(_ name: String) -> String { "variable \(name) is not set" }
    package static func variableEmpty(_ name: String) -> String { "variable \(name) is empty" }
    package static func fileEmpty(_ path: String) -> String { "\"\(path)\" is empty" }
    package static func firstLineEmpty(_ path: String) -> String { "first line of \"\(path)\" is empty" }
    package static let severalLines = "@env:, @file: or @cmd: must give one line of text"
    package static func oddFile(_ path: String) -> String { "\"\(path)\" is not a regular file of at most 16 MiB" }
    package static func credentialsFile(_ path: String, _ reason: String) -> String {
        "\(path) cannot be read: \(reason)"
    }

    // MARK: - Files, sockets and interfaces

    package static func unreadable(_ path: String, _ reason: String) -> String {
        "\"\(path)\" cannot be read: \(reason)"
    }
    package static func unwritable(_ path: String, _ reason: String) -> String {
        "\"\(path)\" cannot be written: \(reason)"
    }
    package static func unreachable(_ path: String, _ reason: String) -> String {
        "\"\(path)\" cannot be reached: \(reason)"
    }
    package static func noSocket(_ path: String) -> String { "\"\(path)\" is not a socket; name one" }
    package static func noInterface(_ name: String) -> String { "no interface \"\(name)\" on this machine" }
    package static func readOnce(_ path: String) -> String {
        "\"\(path)\" is a pipe or a device, which can be read only once; name a file"
    }
    package static let objectWithQuery = "s3 needs the URL of the object, without a query"
    package static func folder(_ path: String) -> String { "\"\(path)\" is a folder; name a file" }
}

/// Errors in a folder.
package enum FolderReasons {
    package static let noFolder = "not a folder"
    package static let link = "a symbolic link"
    package static let otherOwner = "belongs to another user"
    package static func open(_ path: String) -> String { "other users can enter it; chmod 700 \(path)" }
    package static func unmakeable(in folder: String, _ reason: String) -> String {
        "cannot be made in \(folder): \(reason)"
    }
    package static func unwritable(_ reason: String) -> String { "not writable: \(reason)" }
}
