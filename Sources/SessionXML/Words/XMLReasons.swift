/// Errors in XML.
enum XMLReasons {
    static func tooDeep(_ limit: Int) -> String { "elements nested more than \(limit) deep" }
    static func malformed(line: Int) -> String { "not well-formed XML, at line \(line)" }
    static func malformed(line: Int, code: Int) -> String {
        "not well-formed XML, at line \(line), error \(code) of libxml2"
    }
}
