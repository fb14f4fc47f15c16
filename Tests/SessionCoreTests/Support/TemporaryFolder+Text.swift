import Foundation

/// Text in and out of a test's folder.
extension TemporaryFolder {
    var url: URL { URL(fileURLWithPath: path) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func write(_ text: String, to name: String) throws -> URL {
        try write(Array(text.utf8), to: name)
        return file(name)
    }

    func text(of name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }
}
