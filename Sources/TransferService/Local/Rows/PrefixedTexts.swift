/// Stores texts in sequence, each without the prefix that it shares with the one before.
///
/// The URLs of a list begin alike: of 60 bytes mostly a dozen remain. Every eighth text is complete, so that any of
/// them is read from a few.
struct PrefixedTexts {
    private static let restartLength = 8

    /// For each text: the length of the shared prefix, the length of the rest, and the rest.
    private var bytes: [UInt8] = []
    /// The position of every eighth text.
    private var restarts: [UInt32] = []
    /// The latest text, compared with the next one; empty after ``trim()``.
    private var latest: [UInt8] = []
    private(set) var count = 0

    var byteCount: Int { bytes.count + restarts.count * MemoryLayout<UInt32>.stride }

    mutating func append(_ text: String) {
        let text = Array(text.utf8)
        var shared = 0
        if count % Self.restartLength == 0 {
            restarts.append(UInt32(truncatingIfNeeded: bytes.count))
        } else {
            let limit = min(text.count, latest.count)
            while shared < limit, text[shared] == latest[shared] { shared += 1 }
        }
        append(shared)
        append(text.count - shared)
        bytes += text[shared...]
        latest = text
        count += 1
    }

    subscript(index: Int) -> String {
        var text: [UInt8] = []
        var position = Int(restarts[index / Self.restartLength])
        for _ in 0...index % Self.restartLength {
            let shared = number(at: &position)
            let end = number(at: &position) + position
            text.removeLast(text.count - shared)
            text += bytes[position..<end]
            position = end
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Releases unused capacity once no further text is expected.
    mutating func trim() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        latest = []
    }

    /// Appends a number with seven bits per byte; the upper bit says that more bytes follow.
    private mutating func append(_ number: Int) {
        var number = UInt(bitPattern: number)
        while number >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private func number(at position: inout Int) -> Int {
        var (number, shift): (UInt, UInt) = (0, 0)
        while bytes[position] >= 0x80 {
            number |= UInt(bytes[position] & 0x7F) << shift
            shift += 7
            position += 1
        }
        number |= UInt(bytes[position]) << shift
        position += 1
        return Int(bitPattern: number)
    }
}
