import Foundation
import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Property lists of responses", .timeLimit(.minutes(1)))
struct PropertyListTests {
    private let serializer = PropertyListResponseSerializer()

    private func head(_ status: Int = 200, _ type: String = "application/x-plist") -> ResponseHead {
        ResponseHead(statusCode: status, headers: ["Content-Type": type], url: "http://127.0.0.1/x")
    }

    private func list(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let values: [String: Any] = [
            "text": "ü", "number": 5, "truth": true, "part": 0.5, "bytes": Data([1, 2]),
            "date": Date(timeIntervalSince1970: 0), "list": [1, ["a": "b"]] as [Any],
        ]
        return try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
    }

    @Test("K17: binary and XML lists become values", arguments: [0, 1])
    func lists(_ kind: Int) throws {
        let data = try list(kind == 0 ? .binary : .xml)
        let result = serializer.serialize(head: head(), data: data)
        let object = try #require(result.object as? [String: any Sendable], "\(String(describing: result.error))")
        #expect(result.error == nil && object["text"] as? String == "ü" && object["number"] as? NSNumber == 5)
        #expect(object["bytes"] as? Data == Data([1, 2]) && object["part"] as? NSNumber == 0.5)
        #expect(object["date"] as? Date == Date(timeIntervalSince1970: 0))
        let elements = try #require(object["list"] as? [any Sendable])
        #expect((elements.last as? [String: any Sendable])?["a"] as? String == "b")
        #expect(serializer.readOptions == [])
    }

    @Test("K17 KB26: an empty body is no object and no error")
    func emptyBody() {
        let result = serializer.serialize(head: head(204), data: Data())
        #expect(result.object == nil && result.error == nil)
    }

    @Test("K17: an unacceptable type is not parsed, an unacceptable status is, with the error beside it")
    func validation() throws {
        let wrong = serializer.serialize(head: head(200, "text/html"), data: try list(.xml))
        #expect(wrong.object == nil)
        #expect((wrong.error as? ResponseSerializationError)?.reason == .unacceptableContentType("text/html"))
        let failed = serializer.serialize(head: head(500), data: try list(.xml))
        #expect(failed.object != nil)
        #expect((failed.error as? ResponseSerializationError)?.reason == .unacceptableStatusCode(500))
    }

    @Test("Everything that is cut off or no list is one error", arguments: [0, 1])
    func brokenLists(_ kind: Int) throws {
        let complete = try list(kind == 0 ? .binary : .xml)
        for length in stride(from: 1, to: complete.count - 1, by: 7) {
            let result = serializer.serialize(head: head(), data: complete.prefix(length))
            #expect(result.object == nil || kind == 1, "\(length)")
            #expect(result.error is ResponseSerializationError || result.object != nil, "\(length)")
        }
        for text in ["", "{ a = b; }", "(((((", "plain", "\u{FEFF}", "<", "<plist>"] where !text.isEmpty {
            #expect(
                serializer.serialize(head: head(), data: Data(text.utf8)).error is ResponseSerializationError, "\(text)"
            )
        }
    }

    @Test("A list that lies too deep in itself is refused before Foundation's parser sees it")
    func deepXML() {
        let deep = String(repeating: "<array>", count: 200_000)
        #expect(throws: PropertyListGuard.Refusal.tooDeep) { try PropertyListGuard.check(Array(deep.utf8)) }
        let hidden = "<plist>" + String(repeating: "<array><!-- </array> --><![CDATA[</array>]]>", count: 300)
        #expect(throws: PropertyListGuard.Refusal.tooDeep) { try PropertyListGuard.check(Array(hidden.utf8)) }
        let result = serializer.serialize(head: head(), data: Data(deep.utf8))
        #expect(result.error is ResponseSerializationError)
    }

    /// Lists that lie 100,000 deep in each other.
    private static let depths = [
        String(repeating: "<array>", count: 100_000),
        "<plist>" + String(repeating: "<array><?x ></array>?>", count: 100_000),
        "<plist>" + String(repeating: "<array><!--></array><!-->", count: 100_000),
        "<?x >" + String(repeating: "</a>", count: 100_000) + "?><plist>"
            + String(repeating: "<array>", count: 100_000),
        String(repeating: "</a>", count: 100_000) + String(repeating: "<array>", count: 100_000),
        "<plist><?>" + String(repeating: "<array>", count: 100_000) + "?>",
    ]

    @Test("A deep list is refused however its ends are hidden, also before a decoder", arguments: depths.indices)
    func deepLists(index: Int) {
        let text = Self.depths[index]
        let data = Data(text.utf8)
        #expect(throws: PropertyListGuard.Refusal.self) { try PropertyListGuard.check(Array(text.utf8)) }
        #expect(serializer.serialize(head: head(), data: data).error is ResponseSerializationError)
        let decoding = DecodableResponseSerializer([String].self, decoder: PropertyListDecoder())
        let error = decoding.serialize(head: head(), data: data).error as? ResponseSerializationError
        #expect(error?.underlying is DecodingError)
        let failed = decoding.serialize(head: head(500), data: data).error as? ResponseSerializationError
        #expect(failed?.reason == .unacceptableStatusCode(500))
        #expect(throws: DecodingError.self) { try failed?.decode([String].self, decoder: PropertyListDecoder()) }
    }

    @Test("What resembles tags in comments, instructions and text does not count")
    func resemblances() {
        let list =
            "<?xml version=\"1.0\"?><!-- <array></a> --><!DOCTYPE plist><plist><array><?x </array> ?>"
            + "<string><![CDATA[</array><array>]]></string><array/></array></plist>"
        #expect(throws: Never.self) { try PropertyListGuard.check(Array(list.utf8)) }
    }

    /// A binary list of arrays, each given by the numbers of those that it holds; the first is the outermost.
    private func binary(_ arrays: [[Int]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for array in arrays {
            offsets.append(bytes.count)
            bytes.append(0xA0 | UInt8(array.count))
            for reference in array { bytes += [UInt8(reference >> 8), UInt8(reference & 0xFF)] }
        }
        let table = bytes.count
        for offset in offsets { bytes += (0..<4).reversed().map { UInt8(offset >> (8 * $0) & 0xFF) } }
        func long(_ number: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + long(arrays.count) + long(0) + long(table)
    }

    @Test("A bomb of lists that stand for each other, one that holds itself, and a deep one are refused at once")
    func bombs() {
        let honest = binary([[1, 2], [], []])
        #expect(throws: Never.self) { try PropertyListGuard.check(honest) }
        // Each holds the next ten times: 10^20 lists.
        let bomb = binary((0..<20).map { level in level == 19 ? [] : Array(repeating: level + 1, count: 10) })
        #expect(throws: PropertyListGuard.Refusal.tooLarge) { try PropertyListGuard.check(bomb) }
        #expect(throws: PropertyListGuard.Refusal.tooDeep) { try PropertyListGuard.check(binary([[0]])) }
        #expect(throws: PropertyListGuard.Refusal.tooDeep) { try PropertyListGuard.check(binary([[1], [0]])) }
        let deep = binary((0..<5_000).map { $0 == 4_999 ? [] : [$0 + 1] })
        #expect(throws: PropertyListGuard.Refusal.tooDeep) { try PropertyListGuard.check(deep) }
        for list in [bomb, deep, binary([[0]])] {
            let result = serializer.serialize(head: head(), data: Data(list))
            #expect(result.object == nil && result.error is ResponseSerializationError)
        }
    }

    @Test("Random changes to a binary list never do more than fail")
    func randomLists() throws {
        var generator = SeededGenerator(seed: 11)
        let complete = [UInt8](try list(.binary))
        for _ in 0..<2_000 {
            var bytes = complete
            for _ in 0..<4 {
                bytes[Int.random(in: 8..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let result = serializer.serialize(head: head(), data: Data(bytes))
            #expect(result.object != nil || result.error != nil)
        }
    }
}
