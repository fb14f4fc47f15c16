/// Parameters that no request can be made of.
enum ParameterErrors {
    static let pinsWithoutHTTPS = "Invalid Security Policy: pins need a manager whose base URL begins with https"
    static let formCancelled = "Writing the form was cancelled"
    static let streamRead = "Form stream was already read"
    static let streamLength = "Form stream differs from its announced length"
    static func unencodable(_ reason: String) -> String { "Cannot encode the parameters: \(reason)" }
    static let otherKeys = "Keys of a dictionary must be strings"
    static func otherKey(_ key: String) -> String { "Key \(key) of a dictionary is not a string" }
    static func otherType(_ type: String) -> String { "Cannot send a value of the type \(type)" }
}

/// Reasons why parameters cannot be encoded.
enum ParameterReasons {
    static let jsonRoot = "It must be a list or an object with finite numbers"
    static let noNull = "Property lists have no null"
}
