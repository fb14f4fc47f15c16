import Dashboard
import Foundation

/// A line of a list in JSON Lines: one object with a `url` and keys of lists, such as `{"url": "…", "out": "a.bin"}`.
enum ListObject {
    /// A value of a key; a list repeats the key, and null leaves the default.
    private enum Value: Decodable {
        case texts([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .texts([])
            } else if let flag = try? container.decode(Bool.self) {
                self = .texts([flag ? "yes" : "no"])
            } else if let number = try? container.decode(Int64.self) {
                self = .texts([String(number)])
            } else if let text = try? container.decode(String.self) {
                self = .texts([text])
            } else {
                self = .texts(try container.decode([String].self))
            }
        }
    }

    /// The URL of an object, and its options as lines; nil for a line that is no such object.
    static func row(_ line: String) -> (url: String, lines: [String])? {
        guard let object = try? JSONDecoder().decode([String: Value].self, from: Data(line.utf8)),
            case .texts(let urls) = object["url"], urls.count == 1
        else { return nil }
        var lines: [String] = []
        for (key, value) in object.sorted(by: { $0.key < $1.key }) where key != "url" {
            if case .texts(let texts) = value { lines += texts.map { "\(key)=\($0)" } }
        }
        return (urls[0], lines)
    }
}
