import Foundation
import SessionSupport
import Testing
import TransferValues

@testable import AriaRPC

/// Compares the answers with those that aria2c 1.36.0 gave to the same requests.
///
/// `Answers/record-answers.py FILE` records them again.
@Suite("Answers as aria2c gives them", .timeLimit(.minutes(1)))
struct RecordedAnswersTests {
    /// A request with aria2c's answer, or a moment at which a task was in a state.
    struct Step: Decodable {
        var name: String?
        var body: String?
        var method: String?
        var path: String?
        var status: Int?
        var type: String?
        var answer: String?
        var late: Bool?
        var closes: Bool?
        var until: String?
        var gid: String?
    }

    private static let secret = "secret-of-sixteen"
    private static let base = "http://host"
    private static let folder = "/downloads"

    /// Requests whose answers differ on purpose, and why.
    static let differences = [
        "version": "its own features", "id that is null": "its own features", "session info": "a random number",
        "methods": "more methods",
        "get": "a random number", "servers of active": "a measured speed",
        "wrong gid option": "names the GID", "gid option twice": "names the GID",
        "wrong torrent": "no BitTorrent", "id that is a float": "the number as it was sent",
        "options of a task": "its own options", "global options": "its own options",
        "status of complete": "each URL once", "files of a complete one": "each URL once",
    ]

    static func steps() throws -> [Step] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Answers/aria2c-1.36.0.json")
        return try JSONDecoder().decode([Step].self, from: Data(contentsOf: file))
    }

    private static func filled(_ text: String) -> String {
        text.replacing("{base}", with: base).replacing("{dir}", with: folder)
    }

    @Test("Every recorded request has the same status, type and answer")
    func answers() throws {
        let program = FakeProgram(secret: Self.secret)
        let http = AriaHTTP(program.server, OriginRule(isLocal: true))
        var compared = 0
        for step in try Self.steps() {
            if let state = step.until, let gid = step.gid { try Self.reach(state, gid, program); continue }
            let name = try #require(step.name)
            let reply = http.reply(to: Self.request(step))
            #expect(reply.status == step.status, "\(name)")
            #expect(reply.isLate == (step.late ?? false), "\(name)")
            #expect(reply.closes || step.closes != true, "\(name)")
            if step.status == 200, let type = step.type {
                #expect(reply.fields.contains(RPCReply.Field("Content-Type", type)), "\(name)")
            }
            guard let expected = step.answer, !expected.isEmpty else { continue }
            let answer = String(decoding: reply.body, as: UTF8.self)
            let isSame = try Self.value(answer) == Self.value(Self.filled(expected))
            if let reason = Self.differences[name] {
                #expect(!isSame, "\(name) is the same now; it differed: \(reason)")
            } else {
                #expect(isSame, "\(name): \(answer) instead of \(expected)")
            }
            compared += 1
        }
        #expect(compared > 130)
    }

    @Test("Every request that differs on purpose is among the recorded ones")
    func differencesExist() throws {
        let names = Set(try Self.steps().compactMap(\.name))
        #expect(Set(Self.differences.keys).subtracting(names) == [])
    }

    @Test("aria2's methods come first, in its order")
    func methods() throws {
        let step = try #require(try Self.steps().first { $0.name == "methods" })
        let recorded = try JSONReader.read(Array((step.answer ?? "").utf8))["result"]?.list ?? []
        let own = AriaMethod.all.map { JSONValue.string($0.name) }
        #expect(Set(recorded.compactMap(\.text)).isSubset(of: own.compactMap(\.text)))
        #expect(own.count == Set(own.compactMap(\.text)).count)
    }

    @Test("An option has aria2's value, unless it is netdash's own")
    func options() throws {
        let own: Set = [
            "max-connection-per-server", "min-split-size", "split", "max-tries", "max-concurrent-downloads",
            "max-overall-download-limit", "log-level", "user-agent", "dir", "ca-certificate", "save-session",
        ]
        let step = try #require(try Self.steps().first { $0.name == "global options" })
        let recorded = try #require(try JSONReader.read(Array((step.answer ?? "").utf8))["result"])
        for option in AriaOption.all where !own.contains(option.name) {
            guard let initial = option.initial, let value = recorded[option.name]?.text else { continue }
            #expect(value == initial, "\(option.name)")
        }
    }

    // MARK: - Helpers

    private static func request(_ step: Step) -> RPCRequest {
        let target = (step.path ?? "/jsonrpc").split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in target.dropFirst().first?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1)
            query[String(parts[0])] = String(parts[1])
        }
        return RPCRequest(
            method: step.method ?? "POST", path: String(target[0]), query: query, fields: ["host": "127.0.0.1:6800"],
            body: Array(filled(step.body ?? "").utf8))
    }

    /// The value of an answer, with the members of objects in one order.
    private static func value(_ text: String) throws -> JSONValue {
        let text = text.hasPrefix("cb(") ? String(text.dropFirst(3).dropLast()) : text
        return sorted(try JSONReader.read(Array(text.utf8)))
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { JSONValue.Member($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let list): .array(list.map(sorted))
        case .null, .bool, .integer, .decimal, .string, .written: value
        }
    }

    /// Does what the server of the recording did.
    private static func reach(_ state: String, _ gid: String, _ program: FakeProgram) throws {
        let id = try program.server.gids().row(gid, in: program.tasks)
        let (whole, part): (Int64, Int64) = (3 << 20, 1 << 20)
        let clock = program.tasks.state.withLock { state in
            state.clock += 1
            return state.clock
        }
        program.tasks.with(id) { row in
            switch state {
            case "complete":
                (row.figures.state, row.figures.received, row.figures.expected) = (.done, whole, whole)
                row.figures.endedAt = clock
            case "error":
                (row.figures.state, row.figures.cause, row.figures.statusCode) = (.failed, .http, 404)
                row.figures.endedAt = clock
            case "active":
                (row.figures.state, row.figures.received, row.figures.expected) = (.running, part, whole)
            default: break
            }
        }
    }
}
