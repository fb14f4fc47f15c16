/// Texts that name no proxy, and other values of requests that are none.
enum RequestValueErrors {
    static func proxyScheme(_ name: String, known: String) -> String { "unknown proxy scheme \(name); use \(known)" }
    static let proxyForm = "a proxy is written scheme://host:port"
    static let proxyPort = "the port of a proxy must be a number from 1 to 65535"
    static let proxyUser = "the name of a proxy's user contains a control character"
    static let headerField = "A header field needs a name and a value"
}

/// Values of a request, as a description shows them.
enum RequestLabels {
    static func clientCertificate(_ path: String) -> String { "client certificate \(path)" }
    static let clientCertificate = "client certificate"
    static func credentials(_ scheme: String) -> String { "credentials for \(scheme)" }
    static func binary(_ count: Int) -> String { "(\(count) bytes of binary data)" }
    static func secret(_ count: Int) -> String { "(\(count) bytes with a secret)" }
}
