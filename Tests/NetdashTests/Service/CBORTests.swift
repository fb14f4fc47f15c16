import Dashboard
import Foundation
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService

/// The coding of frames, which a peer may have damaged.
@Suite("Values in frames", .timeLimit(.minutes(1)))
struct CBORTests {
    private static func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try CBORDecoder.decode(Value.self, from: try CBOREncoder.encode(value))
    }

    @Test("A command with every kind of value comes back as it was")
    func command() throws {
        var job = Job(kind: .upload, url: "https://h/ü?a=1", method: "PUT", body: .file(path: "/tmp/ä"))
        job.headers.append(name: "X-A", value: "b")
        job.tag = "night"
        job.rates = TaskRates(download: 4_096, upload: .off)
        job.checksum = Job.Checksum(algorithm: .sha256, hex: "00171819" + String(repeating: "7f80e0ff", count: 7))
        let jobs = [job, Job(kind: .download, url: "http://h/" + String(repeating: "x", count: 70_000))]
        for command in [
            TransferCommand.add(jobs), .replace(7, with: job), .pause([1, 300, 70_000, 1 << 40]), .pause([]),
            .cancel([1], deletingParts: true), .limitTasks([1], nil), .limitTasks([2], TaskRates(download: 1)),
            .prioritise([3], by: -2), .repeatRequest(1, seconds: nil), .setLimits(TransferLimits(all: 1, perHost: 2)),
            .setRates(RatePlan()),
        ] {
            #expect(try Self.roundTrip(command) == command)
        }
    }

    private struct Numbers: Codable, Equatable {
        var bytes: [UInt8] = Array(0...255)
        var byte: UInt8 = 255
        var single: Int8 = -128
        var small: [Int16] = [-32_768, 255, 256, 32_767]
        var word: UInt16 = 65_535
        var middle: [Int32] = [.min, -1, 24, .max]
        var unsigned: [UInt32] = [23, 24, .max]
        var large: [Int64] = [.min, -25, .max]
        var largest: [UInt64] = [0, .max]
        var known: [UInt8: Int8] = [200: -1]
    }

    @Test("Integers of every size come back as they were, alone, in lists and in maps")
    func integers() throws {
        #expect(try Self.roundTrip(Numbers()) == Numbers())
        for byte in UInt8.min...UInt8.max { #expect(try Self.roundTrip(byte) == byte) }
    }

    @Test("Rows come back as they were, with what is unknown")
    func rows() throws {
        var row = RowSnapshot(id: 3, kind: .download, name: "a\u{1F600}", url: "http://h/a")
        row.expected = 1 << 40
        row.retryAt = -5
        row.state = .retrying
        row.cause = .timedOut
        row.statusCode = 503
        row.error = "later"
        (row.position, row.received, row.sent, row.resumedAt) = (9, 10, 11, 12)
        (row.startedAt, row.endedAt, row.failedAttempts, row.inFlight) = (13, 14, 15, 16)
        (row.answerAwaitedSince, row.retryLimit, row.opening, row.priority) = (17_000, 18, .afterOthers, -2)
        (row.continuation, row.repetition) = (.unknown, .paused)
        (row.host, row.route, row.method, row.path, row.protocolName) = ("h", "proxy", "PUT", "/f", "h2")
        let update = {
            var update = TransferUpdate(isCut: true, notices: [.removed([1, 2]), .idle, .limited(["h": 2])])
            update.rows = [row, RowSnapshot(id: 4, kind: .data, name: "b", url: "http://h/b")]
            update.figures = [row.figures]
            return update
        }()
        #expect(try Self.roundTrip(update) == update)
        let welcome = Welcome(program: "1", process: 7, session: nil, directory: "/", notices: ["x"])
        #expect(try Self.roundTrip(welcome) == welcome)
    }

    @Test("A row with a word or a number that rows do not have is refused")
    func oddRows() throws {
        let row = RowSnapshot(id: 3, kind: .download, name: "a", url: "http://h/a")
        let frame = try CBOREncoder.encode(row)
        #expect(try CBORDecoder.decode(RowSnapshot.self, from: frame) == row)
        func replaced(_ word: String, _ other: String) -> [UInt8] {
            let (old, new) = (Array(word.utf8), Array(other.utf8))
            let start = frame.indices.first { frame[$0...].starts(with: old) }
            guard let start else { return frame }
            return Array(frame[..<start]) + new + Array(frame[(start + old.count)...])
        }
        for wrong in [replaced("queued", "queuex"), replaced("download", "downloaf"), Array(frame.dropLast())] {
            #expect(throws: (any Error).self) { try CBORDecoder.decode(RowSnapshot.self, from: wrong) }
        }
    }

    @Test("Counts beyond one byte are right")
    func longLists() throws {
        for count in [255, 256, 65_535, 65_536, 70_001] {
            #expect(try Self.roundTrip(Array(0..<count)) == Array(0..<count))
        }
    }

    @Test(
        "Numbers keep their value at every length",
        arguments: [0, 1, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Int.max])
    func numbers(number: Int) throws {
        #expect(try Self.roundTrip([number, -number, -1 - number]) == [number, -number, -1 - number])
        #expect(try Self.roundTrip([Double(number), 0.1, -.infinity]) == [Double(number), 0.1, -.infinity])
    }

    @Test(
        "What is no frame is refused before anything is decoded",
        arguments: [
            [], [0x18], [0x1C], [0x41, 0x61], [0x61], [0x7F], [0x82, 0x01], [0x9F, 0xFF], [0xA1, 0x61, 0x61],
            [0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xBA, 0x00, 0x00, 0x01, 0x00], [0xC0, 0x01],
            [0xF7], [0x00, 0x00], [0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            Array(repeating: 0x81, count: 100) + [0x00],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: CBOR.Malformed.self) { try CBORDecoder.decode([Int].self, from: bytes) }
    }

    @Test("A text that is not UTF-8, and a number that is too large for its type, are refused")
    func wrongValues() throws {
        #expect(throws: DecodingError.self) { try CBORDecoder.decode(String.self, from: [0x61, 0xFF]) }
        #expect(throws: DecodingError.self) {
            try CBORDecoder.decode(UInt8.self, from: try CBOREncoder.encode(300))
        }
        #expect(throws: DecodingError.self) { try CBORDecoder.decode(UInt8.self, from: try CBOREncoder.encode(-1)) }
        #expect(throws: DecodingError.self) {
            try CBORDecoder.decode(TransferCommand.self, from: try CBOREncoder.encode(["nothing": 1]))
        }
    }

    @Test("Every message with bytes changed or cut is refused or decoded, and never ends the process")
    func damaged() throws {
        let message = ClientMessage.request(7, .send(.add([Job(kind: .download, url: "http://h/a", directory: "/d")])))
        let frame = try CBOREncoder.encode(message)
        for index in frame.indices {
            for bit in 0..<8 {
                var other = frame
                other[index] ^= 1 << UInt8(bit)
                _ = try? CBORDecoder.decode(ClientMessage.self, from: other)
            }
            #expect(throws: (any Error).self) {
                try CBORDecoder.decode(ClientMessage.self, from: Array(frame[..<index]))
            }
        }
    }

    @Test("A member that an older program does not know is skipped")
    func newerMembers() throws {
        struct Newer: Codable {
            var version = 3
            var further: [String: [Int]] = ["a": [1]]
            var program = "9"
        }
        let hello = try CBORDecoder.decode(Hello.self, from: try CBOREncoder.encode(Newer()))
        #expect(hello == Hello(version: 3, program: "9"))
    }
}
