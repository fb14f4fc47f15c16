internal import CPostgres

/// The address of a queue: a URL or a connection string of libpq, without a password; nil text for libpq's environment.
package struct QueueAddress: Sendable, Equatable {
    /// The text for libpq.
    package let text: String

    /// Reads an address; one with a password is refused, and no error repeats what was given.
    package init(_ text: String?) throws(FleetError) {
        let text = text ?? ""
        var problem: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &problem)
        // libpq quotes the address in its text, so a password could be in it.
        if let problem { PQfreemem(problem) }
        guard let options else { throw FleetError(.usage, QueueErrors.malformedAddress) }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0,
                Self.secrets.contains(String(cString: keyword))
            {
                throw FleetError(.usage, QueueErrors.passwordInAddress)
            }
            option += 1
        }
        self.text = text
    }

    private static let secrets: Set<String> = ["password", "sslpassword"]

    /// Overwrites the addresses with a password among a process's arguments, for `ps`, and returns whether there are any.
    ///
    /// An argument that libpq cannot read is overwritten too. `arguments` must be the process's own array.
    package static func hideSecrets(
        in arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
    ) -> Bool {
        var hasSecret = false
        for index in 0..<count {
            guard let argument = arguments[index] else { continue }
            let text = String(cString: argument)
            let value = text.hasPrefix("--queue=") ? String(text.dropFirst(8)) : text
            let isAddress = value.contains("://") || value.contains("password")
            guard isAddress, (try? QueueAddress(value)) == nil, isDatabase(value) else { continue }
            hasSecret = true
            var byte = argument
            while byte.pointee != 0 {
                byte.pointee = 0x2A
                byte += 1
            }
        }
        return hasSecret
    }

    private static func isDatabase(_ value: String) -> Bool {
        value.hasPrefix("postgres") || value.contains("password")
    }
}
