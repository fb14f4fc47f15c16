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

    @Test(
        "Credentials and proxies of a client leave nothing of a job's that are for others",
        arguments: [
            (["http-user": "me", "http-passwd": "pw"], ["user=me:pw", "proxy=http://p:1", "proxy-user=@env:P"]),
            (["all-proxy": "http://other:1"], ["bearer=@env:T", "proxy=http://other:1"]),
            (
                ["all-proxy": "http://other:1", "all-proxy-user": "a", "all-proxy-passwd": "b"],
                ["bearer=@env:T", "proxy=http://other:1", "proxy-user=a:b"]
            ),
            (
                ["all-proxy": "http://p:1", "split": "4"],
                ["bearer=@env:T", "proxy=http://p:1", "proxy-user=@env:P", "4"]
            ),
            (["header": "Authorization: Basic eA=="], ["proxy=http://p:1", "proxy-user=@env:P"]),
        ] as [([String: String], [String])])
    func displaced(options: [String: String], left: [String]) throws {
        var job = Job(kind: .download, url: "http://host/file")
        job.options = [
            JobOption.Value(.bearer, "@env:T"), JobOption.Value(.proxy, "http://p:1"),
            JobOption.Value(.proxyUser, "@env:P"),
        ]
        _ = program.tasks.send(.add([job]))
        _ = try program.result("aria2.changeOption", gid(1), object(options.mapValues { .string($0) }))
        let changed = try #require(program.tasks.jobs(of: [1]).first)
        let texts = changed.options.map { $0.option == .connections ? $0.text : "\($0.option.name)=\($0.text)" }
        #expect(Set(texts) == Set(left))
    }

    @Test(
        "A change of one option leaves a task's own credentials and fields, also beside a password in its URL",
        arguments: [["max-download-limit": "100K"], ["split": "3"], ["header": "X-A: 1\nX-A: 2"], [:]])
    func kept(options: [String: String]) throws {
        var job = Job(kind: .download, url: "http://u:p@host/file")
        job.options = [JobOption.Value(.bearer, "token")]
        job.headers.append(name: "X-A", value: "1")
        _ = program.tasks.send(.add([job]))
        _ = try program.result("aria2.changeOption", gid(1), object(options.mapValues { .string($0) }))
        let changed = try #require(program.tasks.jobs(of: [1]).first)
        #expect(changed.options.text(of: .bearer) == "token")
        #expect(changed.headers.values(named: "X-A") == (options["header"] == nil ? ["1"] : ["1", "2"]))
    }

    @Test("A switch that the service and a call both have stays on")
    func switchOfBoth() throws {
        let global = ["check-certificate": "false", "user-agent": "X"]
        _ = try program.result("aria2.changeGlobalOption", object(global.mapValues { .string($0) }))
        let id = try program.add("https://host/a", ["check-certificate": "false"])
        let job = try #require(program.tasks.jobs(of: [id]).first)
        #expect(job.options.contains(.insecure) && job.options.text(of: .userAgent) == "X")
    }

    @Test("An account of the service is not sent where the URL has its own")
    func accountOfURL() throws {
        let global = ["http-user": "alice", "http-passwd": "secret"]
        _ = try program.result("aria2.changeGlobalOption", object(global.mapValues { .string($0) }))
        func user(_ url: String) throws -> String? {
            let id = try program.add(url)
            return try #require(program.tasks.jobs(of: [id]).first).options.text(of: .user)
        }
        #expect(try user("http://host/a") == "alice:secret")
        #expect(try user("http://u:p@host/b") == nil)
    }

    @Test("The service's password of a proxy is not for the proxy of a task")
    func proxyOfService() throws {
        let global = ["all-proxy": "http://p:1", "all-proxy-user": "me", "all-proxy-passwd": "pw"]
        _ = try program.result("aria2.changeGlobalOption", object(global.mapValues { .string($0) }))
        func pair(_ options: [String: JSONValue]) throws -> String? {
            let id = try program.add("http://host/\(options.count)", options)
            return try #require(program.tasks.jobs(of: [id]).first).options.text(of: .proxyUser)
        }
        #expect(try pair([:]) == "me:pw")
        #expect(try pair(["all-proxy": "http://other:1"]) == nil)
        #expect(try pair(["all-proxy-user": "you", "split": "2"]) == "you:pw")
    }

    @Test("A GID that a client has chosen can be chosen again once a window has removed its task")
    func chosenAgain() throws {
        let gid: JSONValue = "aabbccddeeff0011"
        let first = try program.add("http://host/1", ["gid": gid])
        #expect(program.server.gid(of: first) == "aabbccddeeff0011")
        _ = program.tasks.send(.remove([first], deletingParts: false))
        let second = try program.add("http://host/2", ["gid": gid])
        #expect(program.server.gid(of: second) == "aabbccddeeff0011")
        #expect(try program.result("aria2.tellStatus", gid)["gid"] == gid)
        #expect(throws: AriaError.self) { try program.add("http://host/3", ["gid": gid]) }
        // A list may name it too.
        _ = program.tasks.send(.remove([second], deletingParts: false))
        var job = Job(kind: .download, url: "http://host/4")
        job.aria = AriaTerms(gid: "aabbccddeeff0011")
        let third = try #require(program.tasks.send(.add([job])).added.first)
        #expect(program.server.gid(of: third) == "aabbccddeeff0011")
    }

    @Test("The GID that a task had which was removed can be chosen too")
    func ownAgain() throws {
        let first = try program.add("http://host/1")
        let own = gid(first)
        _ = program.tasks.send(.remove([first], deletingParts: false))
        let second = try program.add("http://host/2", ["gid": own])
        #expect(gid(second) == own)
        #expect(try program.result("aria2.tellStatus", own)["gid"] == own)
    }
}
