import SessionSupport
import Testing

/// Lines that are written over in place.
@Suite("Sealed lines")
struct SealedLineTests {
    private let form = SealedLine("kept", length: 60)

    @Test("A line has its length and gives its words back")
    func words() {
        let line = form.bytes("1 -2 10-20,30-40")
        #expect(line.count == 60 && line.last == 0x0A)
        #expect(form.words(line) == ["1", "-2", "10-20,30-40"])
        #expect(form.mayBe(line) && form.pieces((line + line)[...]).map(Array.init) == [line, line])
    }

    @Test("A line that was cut or changed anywhere gives none, and may have been one as long as its heading is")
    func damage() throws {
        let line = form.bytes("1 -2")
        let end = try #require(line.lastIndex { $0 != 0x20 && $0 != 0x0A })
        for count in 0...end {
            #expect(form.words(line.prefix(count)) == nil && form.mayBe(line.prefix(count)), "\(count)")
        }
        for index in 0...end where line[index] != 0x20 {
            var damaged = line
            damaged[index] ^= 1
            #expect(form.words(damaged) == nil && form.mayBe(damaged) == (index >= 5), "byte \(index)")
        }
        #expect(form.mayBe([0, 0, 0]) && form.mayBe([]) && !form.mayBe([0x0A]))
        #expect(SealedLine("held", length: 60).words(line) == nil)
        #expect(form.pieces(line.prefix(70) + line.prefix(3)).map(\.count) == [60, 3])
    }
}
