import Dashboard
import Foundation
import SessionSupport

/// A line of a list in JSON Lines: one object with a `url` and keys of lists, such as `{"url": "…", "out": "a.bin"}`.
enum ListObject {
    /// A value of a key; a list repeats the key, and null leaves the default.
    private struct Value: Decodable {
        /// Nil for a value that no key can have, such as an object.
        var texts: [String]?

        init(joining values: [Value]) {
            guard values.allSatisfy({ $0.texts != nil }) else { return }
            let begin = values.lastIndex { $0.texts == [] } ?? values.startIndex
            texts = values[begin...].flatMap { $0.texts ?? [] }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                texts = []
            } else if let flag = try? container.decode(Bool.self) {
                texts = [flag ? "yes" : "no"]
            } else if let number = try? container.decode(Int64.self) {
                texts = [String(number)]
            } else if let number = try? container.decode(Double.self) {
                texts = [String(number)]
            } else if let text = try? container.decode(String.self) {
                texts = [text]
            } else if let list = try? container.decode([Value].self), list.allSatisfy({ $0.texts != nil }) {
                texts = list.flatMap { $0.texts ?? [] }
            }
        }
    }

    private static let url = "url"

    /// The members of an object with a URL; nil for a line that is no such object.
    private static func members(_ line: String) -> [String: Value]? {
        let object = try? JSONDecoder().decode([String: Value].self, from: Data(line.utf8))
        guard let object, object[url] != nil else { return nil }
        return object.merging(repeated(line)) { $1 }
    }

    /// The members whose key an object has several times, which the decoder would take the first of: a line for each,
    /// as a list repeats a key, after the last null; of several URLs the last.
    private static func repeated(_ line: String) -> [String: Value] {
        guard let tree = JSONTree(Array(line.utf8)) else { return [:] }
        let members = Dictionary(grouping: tree.children(of: 0)) { tree.name(of: $0) ?? [] }
        var repeated: [String: Value] = [:]
        for (name, nodes) in members where nodes.count > 1 {
            let name = String(decoding: name, as: UTF8.self)
            let places = nodes.map { tree.nodes[$0].value }
            let texts = places.map {
                String(decoding: tree.bytes[Int($0.lowerBound)..<Int($0.upperBound)], as: UTF8.self)
            }
            let list = Data("[\(texts.joined(separator: ","))]".utf8)
            guard let values = try? JSONDecoder().decode([Value].self, from: list), let last = values.last else {
                continue
            }
            repeated[name] = name == url ? last : Value(joining: values)
        }
        return repeated
    }

    /// The URL of an object, and its options; nil for a line that is no such object.
    static func row(_ line: String) -> (url: String, settings: [ListKey.Setting])? {
        guard let object = members(line), problem(of: object) == nil, let url = object[url]?.texts?.first else {
            return nil
        }
        var settings: [ListKey.Setting] = []
        for (key, value) in object.sorted(by: { $0.key < $1.key }) where key != Self.url {
            settings += (value.texts ?? []).map { ListKey.Setting(ByteText.trimmed(key[...]), $0) }
        }
        return (url, settings)
    }

    /// The sentence about a value that its key cannot have; nil without one, and for a line that is no object with a
    /// URL.
    static func problem(_ line: String) -> String? { members(line).flatMap(problem(of:)) }

    private static func problem(of object: [String: Value]) -> String? {
        guard object[url]?.texts?.count == 1 else { return ListUsage.objectURL }
        return object.filter { $0.value.texts == nil }.map(\.key).min().map { ListUsage.objectValue(of: $0) }
    }
}
