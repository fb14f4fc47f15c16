import LoopbackServer
import Testing

@Suite("Content")
struct ContentTests {
    @Test(
        "Every way to the bytes gives the same ones", arguments: [0, 1, 262_000, 262_139, 524_278_000_000] as [Int64])
    func agrees(offset: Int64) {
        let content = DeterministicContent(seed: 5, count: 1 << 50)
        let bytes = content.bytes(in: offset..<offset + 1_000)
        #expect(bytes.indices.allSatisfy { bytes[$0] == content.byte(at: offset + Int64($0)) })
        bytes.withUnsafeBytes { buffer in
            #expect(content.matches(buffer, offset: offset))
            #expect(!content.matches(buffer, offset: offset + 1))
        }
    }

    @Test("Another seed or another period gives other bytes")
    func differs() {
        let content = DeterministicContent(seed: 5, count: 1_000)
        let other = DeterministicContent(seed: 6, count: 1_000)
        #expect(content.bytes == DeterministicContent(seed: 5, count: 1_000).bytes)
        #expect(zip(content.bytes, other.bytes).filter(==).count < 50)
        let period = Int64(DeterministicContent.period)
        #expect(zip(content.bytes, content.bytes(in: period..<period + 1_000)).filter(==).count < 50)
    }

    @Test("A checksum depends on the bytes and not on how they are cut")
    func checksums() {
        let content = DeterministicContent(seed: 5, count: 5_003)
        var piecewise = BodyChecksum()
        var offset: Int64 = 0
        for size in [1, 7, 8, 9, 100, 3, 4_875] as [Int64] {
            content.bytes(in: offset..<offset + size).withUnsafeBytes { piecewise.update($0) }
            offset += size
        }
        #expect(offset == content.count)
        #expect(piecewise.value == BodyChecksum(of: content).value)
        #expect(piecewise.value == BodyChecksum(of: content.bytes).value)
        var changed = content.bytes
        changed[4_000] ^= 1
        #expect(BodyChecksum(of: changed).value != piecewise.value)
        #expect(BodyChecksum(of: content.bytes + [0]).value != piecewise.value)
    }

    @Test("Bodies made of bodies come out whole")
    func composes() throws {
        try withServer { server in
            let body = ServedBody.joined([
                .text("ab"), .empty, .slice(.bytes([1, 2, 3, 4]), 1..<99), .repeated([7, 8], times: 2),
                .slice(.joined([.text("xy"), .text("zw")]), 1..<3),
            ])
            #expect(body.count == 11)
            server.setRoute("/x", .respond(ScriptedResponse(body: body)))
            let answer = try RawClient(server).exchange("GET", "/x")
            #expect(answer.body == [0x61, 0x62, 2, 3, 4, 7, 8, 7, 8, 0x79, 0x7A])
        }
    }

    @Test("A size beyond all numbers does not trap")
    func saturates() {
        #expect(ServedBody.repeated([1, 2, 3], times: .max).count == .max)
        #expect(ServedBody.generated(seed: 1, count: -5).count == 0)
    }

    @Test("Stored gzip has the bytes of the format")
    func gzipStored() {
        // Made by hand from RFC 1952 and RFC 1951, 3.2.4; the checksum of "123456789" is in every CRC-32 catalogue.
        let expected: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, 9, 0, 0xF6, 0xFF] + Array("123456789".utf8)
            + [0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0]
        #expect(GzipForm.stored(Array("123456789".utf8)) == expected)
        #expect(GzipForm.stored([]).count == 23)
        #expect(GzipForm.stored([UInt8](repeating: 1, count: 65_536)).count == 10 + 65_536 + 2 * 5 + 8)
    }

    @Test("A gzip bomb is a hundredth of what it swells to")
    func gzipBomb() {
        let bomb = GzipForm.bomb(swellingTo: 1 << 29)
        #expect(bomb.count < 1 << 29 / 150)
        #expect(bomb.count > 1 << 29 / 160)
    }
}
