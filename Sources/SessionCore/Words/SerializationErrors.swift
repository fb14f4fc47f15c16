/// Parameters that no body can be made of, and bodies that cannot be read.
enum SerializationErrors {
    static func url(_ url: String) -> String { "“\(url)” is not a URL that can be requested" }
    static let noNames = "Parameters need names here; give a dictionary"
    static func number(_ key: String) -> String { "Parameter “\(key)” is infinite or not a number" }
    static func tooDeep(_ limit: Int) -> String { "Parameters are nested over \(limit) deep, or contain themselves" }
    static func json(_ reason: String) -> String { "The `parameters` argument is not valid JSON. \(reason)" }
    static func propertyList(_ reason: String) -> String { "Parameters are not a property list: \(reason)" }
    static func method(_ method: String) -> String { "A form cannot be sent with \(method)" }
    static func boundary(_ text: String) -> String {
        "Form boundary must be 1 to 70 letters, digits, inner spaces or '()+_,-./:=?, got “\(text)”"
    }
    static func boundaryInPart(_ text: String) -> String { "The boundary “\(text)” occurs in a part of the form" }
    static func query(_ reason: String) -> String { "Cannot write the query: \(reason)" }
    static func notFileURL(_ url: String) -> String { "Expected URL to be a file URL: \(url)" }
    static func unreachable(_ path: String) -> String { "File URL not reachable: \(path)" }

    // MARK: - Responses

    static func status(_ phrase: String, _ code: Int) -> String { "Request failed: \(phrase) (\(code))" }
    static func contentType(_ type: String) -> String { "Request failed: unacceptable content-type: \(type)" }
    static let noContentType = "Request failed: unacceptable content-type: none"
    static func unreadable(_ reason: String) -> String { "Request failed: the body could not be read: \(reason)" }
    static func otherObject(_ type: String) -> String { "Request failed: the body became an unexpected \(type)" }
    static func refused(_ reason: String) -> String { "Request failed: the response was refused: \(reason)" }

    // MARK: - Archives

    static func notCodable(_ type: String) -> String { "Only a Codable serializer can be archived: \(type)" }
    static func unknownKind(_ name: String) -> String { "Unknown kind of serializer: \(name)" }
}

/// Errors in a body.
enum BodyReasons {
    static let empty = "empty"
    static func undecoded(_ codings: String) -> String {
        "still in Content-Encoding \(codings); see decodesBodies"
    }
    static func page(_ reason: String) -> String { "web page (text/html): \(reason)" }
    static func encoding(_ name: String) -> String { "no text in the encoding \(name)" }
    static let tooDeep = "nested too deep"
    static let tooLarge = "nested references would expand too far"
    static let broken = "broken"
    static let foreignValue = "holds a value that property lists do not have"
    static let noPropertyList = "not a binary or XML property list"
}

/// What is wrong with a field, at a path such as `users[2].name`.
enum FieldReasons {
    static func missing(_ name: String, in place: String?) -> String {
        place.map { "there is no field \"\(name)\" in \($0)" } ?? "there is no field \"\(name)\""
    }
    static func null(_ place: String?) -> String { "\(place ?? "the value") is null or missing" }
    static func type(_ type: String, _ place: String?) -> String { "\(place ?? "the value") is not of type \(type)" }
    static func wrong(_ reason: String, _ place: String?) -> String { place.map { "\($0): \(reason)" } ?? reason }
    static let unreadable = "cannot be read"
}

/// Whether the network can be reached, in the words of the original.
enum ReachabilityLabels {
    static let unknown = "Unknown"
    static let none = "Not Reachable"
    static let mobile = "Reachable via WWAN"
    static let wireless = "Reachable via WiFi"
}
