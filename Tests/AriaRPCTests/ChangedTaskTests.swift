import Testing
import TransferValues

@testable import AriaRPC

/// Credentials that a client changes by halves, and GIDs whose tasks have gone.
@Suite("Changed credentials and GIDs of tasks that have gone", .timeLimit(.minutes(1)))
struct ChangedTaskTests {
    private let program = FakeProgram()

    private func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.map { JSONValue.Member($0.key, $0.value) })
    }

    private func gid(_ id: UInt64) -> JSONValue { .string(program.server.gid(of: id)) }

    @Test(
        "A name or a password alone changes its half of the credentials",
        arguments: [("http", JobOption.user), ("all-proxy", .proxyUser), ("https-proxy", .proxyUser)])
    func halves(name: String, option: JobOption) throws {
        let passwordName = "\(name)-passwd"
        let id = try program.add(
            "http://host/file", ["all-proxy": "http://proxy:1", "\(name)-user": "me", passwordName: "old"])
        func change(_ options: [String: JSONValue]) throws -> String? {
            _ = try program.result("aria2.changeOption", gid(id), object(options))
            return try #require(program.tasks.jobs(of: [id]).first).options.text(of: option)
        }
        #expect(try change([passwordName: "n:w"]) == "me:n:w")
        #expect(try change(["\(name)-user": "other"]) == "other:n:w")
        #expect(try change(["\(name)-user": "", passwordName: ""]) == "other:n:w")
        #expect(try change(["\(name)-user": "a", passwordName: "b"]) == "a:b")
    }

    @Test("Half of credentials that the user's job reads from elsewhere is refused")
    func halfOfReference() throws {
        var job = Job(kind: .download, url: "http://host/file")
        job.options = [JobOption.Value(.user, "@env:NETDASH_TEST")]
        _ = program.tasks.send(.add([job]))
        #expect(throws: AriaError.self) {
            try program.result("aria2.changeOption", gid(1), object(["http-passwd": "new"]))
        }
        job.options = [JobOption.Value(.user, "me:@env:NETDASH_TEST")]
        (job.url, job.output) = ("http://host/other", .name("other"))
        _ = program.tasks.send(.add([job]))
        #expect(throws: AriaError.self) {
            try program.result("aria2.changeOption", gid(2), object(["http-user": "other"]))
        }
        #expect(program.tasks.jobs(of: [2]).first?.options == job.options)
    }
}
