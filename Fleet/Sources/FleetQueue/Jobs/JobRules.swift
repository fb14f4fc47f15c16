internal import Foundation

/// The reason why a job cannot be queued or carried out.
package struct JobFault: Error, Equatable {
    package let text: String

    init(_ text: String) { self.text = text }
}

/// What a job must be, checked where it is added and again where it is claimed: other programs can write rows too.
package enum JobRules {
    static let longestURL = 8192
    static let longestDestination = 1000
    /// The longest header field, in bytes.
    static let longestField = 16_384
    /// The longest request with all its options, in bytes.
    static let longestRequest = 65_536

    /// Checks a path below a worker's folder.
    package static func check(destination path: String) throws(JobFault) {
        guard !path.isEmpty, path.utf8.count <= longestDestination else { throw JobFault(JobFaults.longDestination) }
        guard path.utf8.first != 0x2F, path.utf8.last != 0x2F else { throw JobFault(JobFaults.notRelative) }
        var length = 0
        var dots = 0
        var last: UInt8 = 0
        for byte in path.utf8 {
            // U+0080 to U+009F are control characters too, which a terminal follows.
            let isControl = byte < 0x20 || byte == 0x7F || (last == 0xC2 && byte < 0xA0)
            last = byte
            guard !isControl else { throw JobFault(JobFaults.controlInDestination) }
            if byte == 0x2F {
                try check(length: length, dots: dots)
                (length, dots) = (0, 0)
            } else {
                length += 1
                if byte == 0x2E { dots += 1 }
            }
        }
        try check(length: length, dots: dots)
    }

    private static func check(length: Int, dots: Int) throws(JobFault) {
        guard length > 0, !(length == dots && dots <= 2) else { throw JobFault(JobFaults.traversal) }
        guard length <= 255 else { throw JobFault(JobFaults.longName) }
    }

    /// Checks `ALGORITHM=HEX`.
    package static func check(checksum text: String) throws(JobFault) {
        let parts = text.split(separator: "=", maxSplits: 1)
        let lengths = ["md5": 32, "sha-1": 40, "sha-224": 56, "sha-256": 64, "sha-384": 96, "sha-512": 128]
        guard parts.count == 2, let length = lengths[parts[0].lowercased()], parts[1].utf8.count == length,
            parts[1].allSatisfy({ $0.isHexDigit && $0.isASCII })
        else { throw JobFault(JobFaults.badChecksum) }
    }

    /// Checks an option of the request; secrets are references.
    package static func check(option name: String, value: String) throws(JobFault) {
        guard value.utf8.count <= longestField else { throw JobFault(JobFaults.longField) }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw JobFault(JobFaults.controlInField) }
        switch name {
        case "auth", "bearer":
            guard SecretReference(value) != nil else { throw JobFault(JobFaults.plainSecret(name)) }
        case "header":
            try check(part: value, separator: ":", isSecret: SecretNames.isSecretField)
            let name = value.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
            // A worker would take the response for the complete file.
            guard !["range", "if-range"].contains(name.lowercased()) else {
                throw JobFault(JobFaults.rangeField(name))
            }
        case "query":
            try check(part: value, separator: "=", isSecret: SecretNames.isSecretParameter)
        default:
            throw JobFault(JobFaults.unknownOption(PostgresText.printable(name)))
        }
    }

    private static func check(part: String, separator: Character, isSecret: (String) -> Bool) throws(JobFault) {
        guard let mark = part.firstIndex(of: separator), mark != part.startIndex else {
            throw JobFault(JobFaults.noValue)
        }
        let name = part[..<mark].trimmingCharacters(in: .whitespaces)
        let value = part[part.index(after: mark)...].trimmingCharacters(in: .whitespaces)
        guard !isSecret(name) || SecretReference(value) != nil else {
            throw JobFault(JobFaults.plainSecret(PostgresText.printable(name)))
        }
        // It would be sent as it stands.
        guard SecretReference(value) != nil || !SecretReference.isPart(of: value) else {
            throw JobFault(JobFaults.partialReference(PostgresText.printable(name)))
        }
    }

    /// Checks a URL and returns its parts.
    @discardableResult
    package static func check(url text: String) throws(JobFault) -> JobAddress {
        let address = try JobAddress(text)
        if let name = address.secretParameter {
            throw JobFault(JobFaults.secretParameter(PostgresText.printable(name)))
        }
        return address
    }

    /// The options of a stored request, checked; empty without one.
    package static func options(ofRequest json: String?) throws(JobFault) -> [String: [String]] {
        guard let json else { return [:] }
        guard json.utf8.count <= longestRequest else { throw JobFault(JobFaults.longField) }
        guard let options = try? JSONDecoder().decode([String: [String]].self, from: Data(json.utf8)) else {
            throw JobFault(JobFaults.badRequest)
        }
        for (name, values) in options {
            for value in values { try check(option: name, value: value) }
        }
        return options
    }
}
