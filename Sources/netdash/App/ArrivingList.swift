import Dashboard
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
        do throws(Descriptor.ReadError) {
            guard let bytes = try Descriptor.read(STDIN_FILENO, limit: 64 << 10) else { return [] }
            return take(bytes)
        } catch {
            return [breakOff(error)]
        }
    }

    /// Ends a list that cannot be read on.
    ///
    /// The job that was coming in may lack its last options, so it is not begun; the failure stands for it.
    private mutating func breakOff(_ error: Descriptor.ReadError) -> InputListParser.Entry {
        hasEnded = true
        rest = []
        let name = "standard input"
        return .failure(url: name, UsageError(argument: "-i", "\(name) cannot be read to its end: \(error.text)"))
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
