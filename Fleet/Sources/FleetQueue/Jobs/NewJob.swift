internal import Foundation

/// A job that is not in the queue yet.
package struct NewJob: Equatable, Sendable {
    package let url: String
    package let host: String
    /// The line of its URL in the list; 0 outside one.
    package internal(set) var line = 0
    package internal(set) var destination: String
    package internal(set) var checksum: String?
    package internal(set) var priority = 0
    /// The options of the request, which go to the queue as JSON.
    package internal(set) var options: [String: [String]] = [:]

    /// The request as the queue stores it; nil without options.
    package var request: String? {
        guard !options.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(options)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Appends the job as a line for COPY, with its host's number; the server refuses a line without one.
    func append(to line: inout [UInt8], hostID: Int64?) {
        append(hostID.map { String($0) }, to: &line)
        line.append(0x09)
        PostgresText.appendField(url.utf8, to: &line)
        line.append(0x09)
        PostgresText.appendField(destination.utf8, to: &line)
        line.append(0x09)
        append(request, to: &line)
        line.append(0x09)
        append(checksum, to: &line)
        line.append(0x09)
        line += String(priority).utf8
        line.append(0x0A)
    }

    private func append(_ value: String?, to line: inout [UInt8]) {
        if let value {
            PostgresText.appendField(value.utf8, to: &line)
        } else {
            line += [0x5C, 0x4E]
        }
    }
}
