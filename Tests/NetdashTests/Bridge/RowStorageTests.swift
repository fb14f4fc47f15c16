import Testing

@testable import TransferService
@testable import netdash

@Suite("What the bridge keeps of each row")
struct RowStorageTests {
    @Test("URLs come out as they were put in, alike or not, before and after the rest was given back")
    func texts() {
        var texts = PrefixedTexts()
        let long = String(repeating: "é", count: 9_000)
        let known = (0..<100).map { number in
            switch number % 7 {
            case 0: ""
            case 1: "http://a.example/\(long)\(number)"
            case 2: "http://a.example/\(long)"
            default: "http://a.example/list/part-\(number).bin"
            }
        }
        for text in known.dropLast(10) { texts.append(text) }
        texts.trim()
        for text in known.suffix(10) { texts.append(text) }
        #expect(texts.count == 100)
        #expect((0..<100).map { texts[$0] } == known)
    }

    @Test("A list whose URLs begin alike takes less than two thirds of its bytes")
    func sharedBeginnings() {
        var texts = PrefixedTexts()
        let urls = (0..<1_000).map { "http://127.0.0.1:8080/set-\($0 % 97)/dataset-part-\($0).parquet" }
        for url in urls { texts.append(url) }
        #expect(texts.byteCount * 3 < urls.reduce(0) { $0 + $1.utf8.count } * 2)
    }

    @Test("Ids keep their order while they come and go")
    func ids() {
        var random = SystemRandomNumberGenerator()
        var ids = RowIDs()
        var known: [UInt64] = []
        for number in UInt64(0)..<4_000 {
            let id = number % 5 == 0 ? UInt64.random(in: 0...100, using: &random) : number
            switch number % 4 {
            case 0: #expect(ids.popFirst() == (known.isEmpty ? nil : known.removeFirst()))
            default:
                ids.append(id)
                known.append(id)
            }
            #expect(ids.last == known.last && ids.isEmpty == known.isEmpty)
        }
        #expect(Array(ids) == known)
        ids.removeAll { $0 % 3 == 0 }
        known.removeAll { $0 % 3 == 0 }
        #expect(Array(ids) == known && ids == RowIDs(known))
        #expect(ids.following(nil, limit: .max) == known)
        while let id = ids.popFirst() { #expect(id == known.removeFirst()) }
        #expect(known.isEmpty && ids.isEmpty && ids.last == nil)
    }

    @Test("A destination leads to its row for as long as that stands for it")
    func destinations() {
        var random = SystemRandomNumberGenerator()
        var table = DestinationTable()
        var known: [UInt64: UInt64] = [:]
        // Hashes that lie close together, at the end of the table too.
        let hashes = (0..<150).map { UInt64($0) << 56 } + (0..<50).map { UInt64.max - UInt64($0) }
        for id in UInt64(1)...6_000 {
            guard let hash = hashes.randomElement(using: &random) else { return }
            let newValue = Bool.random(using: &random) ? id : nil
            table[NumberKey(hash)] = newValue
            known[hash] = newValue
        }
        #expect(table.count == known.count)
        for hash in hashes { #expect(table[NumberKey(hash)] == known[hash]) }
    }

    @Test("Pages of ids follow one another, also behind one that is gone")
    func pages() {
        let ids = RowIDs([1, 2, 3, 7, 8, 20])
        #expect(ids.following(nil, limit: 2) == [1, 2])
        #expect(ids.following(2, limit: 3) == [3, 7, 8])
        #expect(ids.following(5, limit: 2) == [7, 8])
        #expect(ids.following(8, limit: 9) == [20])
        #expect(ids.following(20, limit: 9).isEmpty)
        #expect(ids.following(nil, limit: 0).isEmpty)
    }
}
