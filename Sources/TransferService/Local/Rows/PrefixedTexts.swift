/// Texts one behind the other, each as what it does not share with the beginning of the one before.
///
/// The lines of a list begin alike: of a URL of 60 bytes there mostly remain a dozen. Every eighth text stands there whole, so
/// that any of them is read from a few.
struct PrefixedTexts {
    private static let restartLength = 8

    /// For each text how many bytes it shares, how many follow, and those.
    private var bytes: [UInt8] = []
    /// The position of every eighth text.
    private var restarts: [UInt32] = []
    /// The latest text, for the next one to be compared with; empty once no further one is expected.
    private var latest: [UInt8] = []
    private(set) var count = 0

    /// The bytes that the texts take.
    var byteCount: Int { bytes.count + restarts.count * MemoryLayout<UInt32>.stride }

    /// Adds a text behind the others.
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

    /// The text of a place.
    subscript(place: Int) -> String {
        var text: [UInt8] = []
        var position = Int(restarts[place / Self.restartLength])
        for _ in 0...place % Self.restartLength {
            let shared = number(at: &position)
            let end = number(at: &position) + position
            text.removeLast(text.count - shared)
            text += bytes[position..<end]
            position = end
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Gives back what was asked for in advance, once no further text is expected.
    mutating func trim() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        latest = []
    }

    /// Appends a number, seven bits a byte; the upper bit says that more follow.
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
