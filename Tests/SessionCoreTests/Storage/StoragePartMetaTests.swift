import FuzzTestSupport
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Meta of a part")
struct StoragePartMetaTests {
    private func sample() throws -> PartMeta {
        let url = "https://user:hunter2@h/f?token=opensesame&n=1"
        var metadata = StoredMetadata(url: url, finalURL: "https://cdn/f?sig=opensesame", method: "GET", status: 200)
        metadata.entityTag = "\"100%\u{E9}\""
        metadata.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        metadata.date = "Mon, 07 Nov 1994 08:49:37 GMT"
        metadata.length = 6_442_450_944
        metadata.contentEncoding = ""
        metadata.contentType = "text/plain; x=\"\n\""
        metadata.announced = Checksum(algorithm: .md5, digest: Array(0..<16))
        return PartMeta(
            resource: metadata, finalName: "a \u{1F600}\nb", urlDigest: try PartMeta.digest(ofURL: url),
            identity: FileStatus.Identity(device: 7, inode: .max), syncedOffset: 1 << 40, bootIdentifier: "boot",
            record: PartRecord(size: 5, modified: -1, changed: 1_795_000_000_123_456_789), isOpen: true,
            isPromised: true)
    }

    @Test("A record after the text takes the place of the one in it, and a torn one does not matter")
    func liveRecord() throws {
        let meta = try sample()
        let text = meta.encoded()
        for change in [nil, PartRecord.Change(began: 1_795_000_000_999_999_999, size: 1 << 40)] {
            let record = PartRecord(size: 1 << 40, modified: 3, changed: -4, change: change)
            let line = record.line
            #expect(line.count == PartRecord.form.length && line.last == 0x0A)
            #expect(PartMeta(decoding: text + line)?.record == record)
            let end = try #require(line.lastIndex { $0 != 0x20 && $0 != 0x0A })
            for count in 0...end { #expect(PartMeta(decoding: text + line.prefix(count))?.record == meta.record) }
            for index in 5..<line.count - 1 where line[index] != 0x20 {
                var damaged = line
                damaged[index] ^= 1
                #expect(PartMeta(decoding: text + damaged)?.record == meta.record)
            }
        }
        #expect(PartMeta(decoding: text + [UInt8](repeating: 0, count: 160))?.record == meta.record)
        #expect(PartMeta(decoding: text + Array("live 1 2 99999999999999999999 sum x".utf8))?.record == meta.record)
    }

    @Test("No number of a record is so large that adding to it would trap")
    func extremeRecords() throws {
        for number in [Int64.min, .max, 1 << 62, -(1 << 62)] {
            let line = PartRecord(size: number, modified: number, changed: number).line
            #expect(PartRecord(line: line) == nil)
        }
    }

    @Test("What was written is read back, but for the URLs, of which only the display text is kept")
    func roundTrip() throws {
        var expected = try sample()
        let decoded = try #require(PartMeta(decoding: expected.encoded()))
        expected.resource.url = "https://h/f?token=***&n=1"
        expected.resource.finalURL = "https://cdn/f?sig=***"
        #expect(decoded == expected)
    }

    @Test("The text names the library and its version, and another version's is not read")
    func heading() throws {
        let text = String(decoding: try sample().encoded(), as: UTF8.self)
        #expect(text.hasPrefix("sessioncore-part 1\n"))
        let lines = text.replacing("sessioncore-part 1", with: "sessioncore-part 2").split(separator: "\n").dropLast()
        let other = lines.joined(separator: "\n") + "\n"
        #expect(PartMeta(decoding: Array((other + "sum \(StableHash.hexadecimal(other.utf8))\n").utf8)) == nil)
    }

    @Test("No secret of a URL reaches the disk")
    func secrets() throws {
        let text = String(decoding: try sample().encoded(), as: UTF8.self)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("opensesame"))
    }

    @Test("Every shortened text and every flipped byte is noticed")
    func damage() throws {
        let bytes = try sample().encoded()
        for count in 0..<bytes.count { #expect(PartMeta(decoding: Array(bytes.prefix(count))) == nil) }
        #expect(PartMeta(decoding: bytes + bytes) == nil)
        #expect(PartMeta(decoding: bytes + [0x0A]) == nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(PartMeta(decoding: damaged) == nil, "byte \(index), bit \(bit)")
            }
        }
        #expect(PartMeta(decoding: [UInt8](repeating: 0, count: 4_096)) == nil)
        #expect(PartMeta(decoding: [UInt8](repeating: 0x0A, count: 100_000)) == nil)
    }

    @Test("Random texts with a right sum are read or refused, never a trap, and never as a path")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 99)
        let lines = String(decoding: try sample().encoded(), as: UTF8.self).split(separator: "\n").dropLast()
        for _ in 0..<3_000 {
            var mutated = lines.map { String($0) }
            for _ in 0..<(1 + generator.next(upperBound: UInt64(3))) {
                let index = 1 + Int(generator.next(upperBound: UInt64(mutated.count - 1)))
                switch generator.next(upperBound: UInt64(4)) {
                case 0: mutated[index] = "name %2e%2e%2fx"
                case 1: mutated[index] = String(mutated[index].prefix(Int(generator.next(upperBound: UInt64(12)))))
                case 2: mutated[index] += String(generator.next())
                default: mutated.swapAt(index, 1 + Int(generator.next(upperBound: UInt64(mutated.count - 1))))
                }
            }
            let text = mutated.joined(separator: "\n") + "\n"
            let sum = "sum \(StableHash.hexadecimal(text.utf8))\n"
            guard let meta = PartMeta(decoding: Array((text + sum).utf8)) else { continue }
            #expect(Folder.isComponent(meta.finalName) && meta.syncedOffset >= 0)
        }
    }
}
