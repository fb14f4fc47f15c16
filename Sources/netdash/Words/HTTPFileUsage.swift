import SessionSupport

/// What is wrong with a `.http` file.
enum HTTPFileUsage {
    static let empty = "has no request"
    static let requestLine = "is no request line; write METHOD URL, and its query below it with ? and &"
    static let variable = "defines no variable; write @name = value"
    static let partlyFile = "a file is the complete body; write < FILE alone below the header fields"
    static let alone = "a file has requests of its own; leave out method, body and items"
    static func unreadable(_ path: String) -> String { "\"\(path)\" cannot be read, or is longer than 16 MiB" }
    static func undefined(_ name: String) -> String { "{{\(name)}} is not defined above" }
    static func unknownVariable(_ name: String) -> String { "{{\(name)}} is unknown; write {{$env NAME}} or {{name}}" }
    static func unset(_ name: String) -> String { "the variable \(name) of the environment is not set" }
    static func unknownMark(_ mark: String) -> String { "\(mark) is unknown; only # @name NAME is read" }
    static func foreign(_ mark: String) -> String {
        "\(mark) begins a script, an import or an output, which is not read"
    }
    static func protocolOf(_ method: String) -> String { "\(method) is another protocol than HTTP" }
    static func unknownName(_ name: String, _ names: String, _ count: Int) -> String {
        let known = names.isEmpty ? "\(count, "request", "requests") without names" : names
        return "has no request \"\(name)\"; known: \(known)"
    }
}
