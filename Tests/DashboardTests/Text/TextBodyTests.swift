import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("Bodies as text")
struct TextBodyTests {
    @Test("Text keeps its lines, its controls become visible, and tabs become blanks")
    func text() {
        let preview = BodyPreview(bytes: Array("a\tb\r\n\u{1B}[31mred".utf8), total: 13, contentType: "text/plain")
        #expect(preview.lines.map(\.string) == ["a   b", "␛[31mred"])
        #expect(preview.summary == "text · text/plain · 13B")
    }

    @Test("Anything else is hexadecimal, and a cut body says so")
    func binary() {
        let preview = BodyPreview(bytes: [0, 1, 2, 0xFF, 0x41], total: 5000, contentType: "")
        #expect(preview.lines.first?.string.hasPrefix("00000000  00 01 02 ff 41") == true)
        #expect(preview.lines.first?.string.hasSuffix("....A") == true)
        #expect(preview.summary == "binary · first 5B of 4.8K")
    }

    @Test("A text that is cut inside of a character is still text")
    func cutText() {
        let bytes = Array("grün".utf8).prefix(3)
        #expect(BodyPreview(bytes: bytes, total: 4, contentType: "").summary == "text · first 3B of 4B")
    }

    @Test("Pictures say their size")
    func pictures() {
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 2, 0x80, 0, 0, 1, 0xE0]
        #expect(ImageInfo(png)?.text == "PNG picture, 640 x 480")
        #expect(ImageInfo(Array("GIF89a".utf8) + [0x40, 1, 0xF0, 0])?.text == "GIF picture, 320 x 240")
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xC2, 0, 17, 8, 0, 100, 0, 200, 3]
        #expect(ImageInfo(jpeg)?.text == "JPEG picture, 200 x 100")
        #expect(ImageInfo([0xFF, 0xD8, 0xFF, 0xE0]) == nil)
        #expect(ImageInfo([]) == nil)
    }
}
