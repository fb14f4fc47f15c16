import Testing
import TransferValues

@testable import AriaRPC

/// Parameters as aria2c 1.36.0 reads and tells them, which was observed.
@Suite("Parameters of aria2's methods")
struct ParameterTests {
    private let program = FakeProgram()

    @Test(
        "The fraction of a number is cut off",
        arguments: [("0.5", "10", 1), ("0.9", "1.7", 1), ("-0.5", "10", 1), ("1e0", "10", 0), ("0", "0.5", 0)])
    func fractions(start: String, count: String, found: Int) throws {
        try program.add("http://host/1", ["pause": "true"])
        let waiting = try program.result("aria2.tellWaiting", .decimal(start), .decimal(count), .array(["gid"]))
        #expect(waiting.list?.count == found)
    }

    @Test(
        "A URL is told with the bytes encoded that aria2 encodes",
        arguments: [
            ("http://host/a b c?x=1 2", "http://host/a%20b%20c?x=1%202"), ("http://host/ü", "http://host/%C3%BC"),
            ("http://host/\"<>", "http://host/%22%3C%3E"), ("http://host/%20{a}|[b]", "http://host/%20{a}|[b]"),
        ])
    func encoding(url: String, told: String) throws {
        let id = try program.add(url, ["pause": "true"])
        let gid = JSONValue.string(program.server.gid(of: id))
        #expect(try program.result("aria2.getUris", gid).list?.first?["uri"] == .string(told))
    }
}
