import Glibc

/// An input list that comes in on standard input while the run is under way.
struct ArrivingList {
    private var parser: InputListParser
    private var rest: [UInt8] = []
    /// Whether everything has arrived.
    private(set) var hasEnded = false

    init(defaults: Job) {
        parser = InputListParser(name: "standard input", defaults: defaults)
    }

    /// Reads what is there, and returns the jobs that are complete.
    ///
    /// Call it when standard input is readable.
    mutating func read() -> [InputListParser.Entry] {
        guard let bytes = Descriptor.read(STDIN_FILENO, limit: 64 << 10) else { return [] }
        return take(bytes)
    }

    /// Takes a piece of the list; an empty one is its end.
    mutating func take(_ bytes: [UInt8]) -> [InputListParser.Entry] {
        guard !bytes.isEmpty else {
            hasEnded = true
            let last = rest.isEmpty ? nil : parser.consume(line: String(decoding: rest, as: UTF8.self))
            rest = []
            return [last, parser.finish()].compactMap(\.self)
        }
        rest += bytes
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast().map(Array.init) ?? []
        return lines.compactMap { parser.consume(line: String(decoding: $0, as: UTF8.self)) }
    }
}
