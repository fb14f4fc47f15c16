/// What the first bytes of a picture say about it.
struct ImageFacts: Sendable, Equatable {
    var format: SafeText
    var width: Int
    var height: Int

    /// `PNG picture, 640 x 480`.
    var text: SafeText { format + " picture, " + SafeText(width) + " x " + SafeText(height) }

    /// Reads the head of a PNG, GIF or JPEG; nil for anything else.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 24 {
            self.init(format: "PNG", width: Self.number(bytes[16..<20]), height: Self.number(bytes[20..<24]))
        } else if bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 10 {
            let width = Self.number(bytes[6..<8].reversed())
            self.init(format: "GIF", width: width, height: Self.number(bytes[8..<10].reversed()))
        } else if bytes.starts(with: [0xFF, 0xD8]), let frame = Self.jpegFrame(in: bytes) {
            let height = Self.number(bytes[frame..<frame + 2])
            self.init(format: "JPEG", width: Self.number(bytes[frame + 2..<frame + 4]), height: height)
        } else {
            return nil
        }
    }

    private init(format: SafeText, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where a JPEG's frame header says the size; segments before it are stepped over.
    private static func jpegFrame(in bytes: [UInt8]) -> Int? {
        var position = 2
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return position + 5 }
            position += 2 + max(number(bytes[position + 2..<position + 4]), 2)
        }
        return nil
    }
}
