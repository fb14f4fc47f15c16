import SessionSupport
import Testing
import TransferValues

@testable import AriaRPC

/// Commands that a service does not carry out, and tasks that would be other ones than their client means.
@Suite("Refusals of the service, and tasks that are none", .timeLimit(.minutes(1)))
struct RefusalTests {
    private let program = FakeProgram()

    private func error(_ method: String, _ parameters: JSONValue...) -> String? {
        if case .failure(let error) = program.server.run(method, parameters, isTrusted: true).result {
            error.message
        } else {
            nil
        }
    }

    private func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.map { JSONValue.Member($0.key, $0.value) })
    }

    private func gid(_ id: UInt64) -> JSONValue { .string(program.server.gid(of: id)) }

    // MARK: - Changes

    @Test("A change that the service refuses is an error with the reason, and nothing of it is done")
    func options() throws {
        let id = try program.add()
        program.tasks.state.withLock { $0.refusal = "The folder is missing" }
        let options = object(["dir": "/proc/x", "max-download-limit": "5K", "retry-wait": "9"])
        #expect(error("aria2.changeOption", gid(id), options) == "The folder is missing")
        let told = try program.result("aria2.getOption", gid(id))
        #expect(told["dir"] == "/downloads" && told["max-download-limit"] == "0" && told["retry-wait"] == "0")
    }

    @Test("A limit of the service that cannot be is an error, and no other option of the call is changed")
    func impossibleLimit() throws {
        for name in ["max-overall-download-limit", "max-overall-upload-limit"] {
            let options = object([name: "9223372036854775807", "max-concurrent-downloads": "9", "quiet": "false"])
            #expect(error("aria2.changeGlobalOption", options) == AriaErrors.option(name))
        }
        #expect(program.tasks.limits.0.all == 2)
        #expect(try program.result("aria2.getGlobalOption")["quiet"] == "true")
        _ = try program.result("aria2.changeGlobalOption", object(["max-overall-download-limit": "0"]))
    }

    @Test("A limit that the service refuses is an error with the reason, and is not told as set")
    func refusedLimit() throws {
        program.tasks.state.withLock { $0.refusal = "The service is ending" }
        let options = object(["max-concurrent-downloads": "9"])
        #expect(error("aria2.changeGlobalOption", options) == "The service is ending")
        #expect(try program.result("aria2.getGlobalOption")["max-concurrent-downloads"] == "2")
    }

    @Test("URLs that the service refuses are an error with the reason")
    func urls() throws {
        let id = try program.add()
        program.tasks.state.withLock { $0.refusal = "Another task has this path" }
        let urls = JSONValue.array(["http://host/other"])
        #expect(
            error("aria2.changeUri", gid(id), .integer(1), .array([]), urls, .integer(0))
                == "Another task has this path")
    }

    @Test("A stopped download that cannot begin again is an error for the client that adds it once more")
    func again() throws {
        let id = try program.add()
        program.tasks.with(id) { $0.figures.state = .failed }
        program.tasks.state.withLock { ($0.knowsEnded, $0.refusal) = (true, "Another task has this path") }
        #expect(error("aria2.addUri", .array(["http://host/file"])) == "Another task has this path")
    }

    @Test("A command for a task that goes in this moment says that it is not found")
    func gone() throws {
        let id = try program.add()
        let name = program.server.gid(of: id)
        program.tasks.state.withLock { $0.rows = [] }
        do {
            try program.server.change(id, by: .pause([id]))
            Issue.record("it is paused")
        } catch {
            #expect(error.message == AriaErrors.notFound(name))
        }
    }

    @Test("The files of a Metalink that are tasks are told, also where a later one is not added")
    func metalink() throws {
        let list = JSONValue.string(Base64.encode(Array("<x/>".utf8)))
        program.tasks.state.withLock { $0.room = 1 }
        #expect(try program.result("aria2.addMetalink", list).list == [gid(1)])
        let line = AriaLines.notAdded("http://host/b", SafeText(untrusted: AriaErrors.noDownload))
        #expect(program.logged.withLock { $0 } == [line])
        program.tasks.state.withLock { ($0.room, $0.rows) = (0, []) }
        #expect(error("aria2.addMetalink", list) == AriaErrors.noDownload)
    }

    // MARK: - Tasks

    @Test(
        "A member of another type is refused by its name, and never left out",
        arguments: [
            ("kind", .integer(5)), ("url", .array(["http://h/"])), ("method", .integer(5)), ("tag", .bool(true)),
            ("body", .object([JSONValue.Member("a", .integer(1))])), ("body", .integer(0)),
            ("bodyFile", .array(["/file"])),
        ] as [(String, JSONValue)])
    func type(name: String, value: JSONValue) throws {
        var members: [String: JSONValue] = ["url": "http://h/", "method": "POST"]
        members[name] = value
        #expect(error("netdash.addTask", object(members)) == AriaErrors.notText(name))
        #expect(program.tasks.ids().isEmpty)
    }

    @Test(
        "Fields that are no list of texts are refused, and none of them is left out",
        arguments: [
            "X: y", .object([JSONValue.Member("Authorization", "x")]), .array(["A: 1", .integer(2)]),
        ] as [JSONValue])
    func fields(value: JSONValue) throws {
        let task = object(["url": "http://h/", "headers": value])
        #expect(error("netdash.addTask", task) == AriaErrors.notTexts("headers"))
        #expect(program.tasks.ids().isEmpty)
    }

    @Test("A member that is null is a missing one")
    func null() throws {
        let task = object(["url": "http://h/", "body": .null, "headers": .null, "tag": .null])
        #expect(error("netdash.addTask", task) == nil)
    }

    @Test("A task has one body")
    func twoBodies() {
        let task = object(["url": "http://h/", "method": "POST", "body": "a", "bodyFile": "/file"])
        #expect(error("netdash.addTask", task) == AriaErrors.twoBodies)
    }
}
