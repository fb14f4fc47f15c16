/// Errors in XML.
enum XMLReasons {
    static func tooDeep(_ limit: Int) -> String { "elements nested more than \(limit) deep" }
    static let entitiesTooLong = "entities that would expand too far"
    static let entities = "entities that cannot be replaced"
    static func malformed(line: Int) -> String { "not well-formed XML, at line \(line)" }
    static func malformed(line: Int, code: Int) -> String {
        "not well-formed XML, at line \(line), error \(code) of libxml2"
    }
}
