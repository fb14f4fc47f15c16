internal import CPostgres
internal import Glibc

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

    /// Overwrites the addresses among a process's arguments that are refused, for `ps`, and returns the first error.
    ///
    /// `arguments` must be the process's own array.
    package static func hideRefused(
        in arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
    ) -> FleetError? {
        var first: FleetError?
        var isValue = false
        for index in 0..<count {
            guard let argument = arguments[index] else { continue }
            let text = String(cString: argument)
            let isNamed = text.hasPrefix("--queue=")
            let isAddress = isValue || isNamed || text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
            isValue = text == "--queue"
            guard isAddress else { continue }
            do throws(FleetError) {
                _ = try QueueAddress(isNamed ? String(text.dropFirst(8)) : text)
            } catch {
                first = first ?? error
                memset(argument, 0x2A, strlen(argument))
            }
        }
        return first
    }
}
