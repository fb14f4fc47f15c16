import SessionSupport

/// Errors in a `.http` file.
enum HTTPFileUsage {
    static let empty = "no request in the file"
    static let requestLine = "not a request line; use METHOD URL, then query lines with ? and &"
    static let variable = "not a variable; use @name = value"
    static let partlyFile = "a body file must stand alone: < FILE"
    static let notUTF8 = "not UTF-8; put such a body into a file of its own: < FILE"
    static func ambiguous(_ name: String, _ numbers: String) -> String {
        "several requests are named \"\(name)\"; use a number: \(numbers)"
    }
    static let alone = "a .http file takes no method, body or items"
    static func unreadable(_ path: String) -> String { "\"\(path)\" is unreadable or larger than 16 MiB" }
    static func undefined(_ name: String) -> String { "{{\(name)}} is not defined above" }
    static func unknownVariable(_ name: String) -> String { "{{\(name)}} is unknown; use {{$env NAME}} or {{name}}" }
    static func unset(_ name: String) -> String { "environment variable \(name) is not set" }
    static func unknownMark(_ mark: String) -> String { "\(mark) is unknown; use # @name NAME" }
    static func foreign(_ mark: String) -> String {
        "\(mark): scripts, imports and outputs are not supported"
    }
    static func protocolOf(_ method: String) -> String { "\(method) is not HTTP" }
    static func unknownName(_ name: String, _ names: String, _ count: Int) -> String {
        let known = names.isEmpty ? "\(count, "request", "requests") without names" : names
        return "no request \"\(name)\"; known: \(known)"
    }
}
