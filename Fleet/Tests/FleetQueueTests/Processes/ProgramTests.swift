import Foundation
import Testing

@testable import FleetQueue

@Suite("The program netdash-fleet", needsServer, .timeLimit(.minutes(10)))
struct ProgramTests {
    private let test: TestQueue

    init() throws { test = try TestQueue() }

    private func run(_ words: String..., on queue: TestQueue? = nil) throws -> (code: Int32, output: String) {
        let environment = (queue ?? test).environment
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: environment)
        let code = program.wait()
        return (code, program.output)
    }

    private func list(_ text: String) throws -> String {
        let folder = try SimulatedFolder()
        try text.write(toFile: folder.path + "/list", atomically: true, encoding: .utf8)
        return folder.path + "/list"
    }

    @Test("A queue is created, filled, shown, emptied and exported")
    func story() throws {
        let empty = try TestQueue(isEmpty: true)
        #expect(try run("status", on: empty).code == 1)
        #expect(try run("init", on: empty).code == 0)
        #expect(try run("init", on: empty).code == 2)
        let path = try list("http://h/a\nhttp://u:hunter2@h/b\n")
        let added = try run("add", path, "-d", "x", on: empty)
        #expect(added.code == 1 && added.output.contains("1 added, 1 refused") && !added.output.contains("hunter2"))
        #expect(added.output.contains(":2: " + JobFaults.userInfo))
        #expect(try run("status", on: empty).output.contains("1 waiting"))
        try empty.open().hold("h", seconds: 1_000, cause: "status 429")
        #expect(try run("status", on: empty).output.contains(" s: status 429\n"))
        let json = try run("status", "--json", on: empty).output
        #expect(try JSONDecoder().decode(QueueStatus.self, from: Data(json.utf8)).jobs == ["waiting": 1])
        #expect(try run("export", "--format=csv", on: empty).output.contains("http://h/a,x/a,waiting"))
        #expect(try run("release", "h", on: empty).output == "Workers may ask h again\n")
        let again = try run("release", "h", on: empty)
        #expect(again.code == 1 && again.output.contains("h is not held"))
        #expect(try run("retry", "--host", "h", on: empty).output == "0 jobs wait again\n")
        #expect(try run("purge", "--older", "7d", on: empty).output == "0 jobs removed\n")
    }

    @Test("Lines whose destination belongs to another URL are named like refused ones, 20 of both")
    func conflicts() throws {
        let queue = try TestQueue()
        let few = try run("add", try list("http://h/1/a\n\nhttp://h/2/a\nhttp://h/3/b\nnonsense\n"), on: queue)
        #expect(few.code == 1)
        #expect(few.output.contains("2 added, 1 with another URL's destination, 1 refused"), "\(few.output)")
        #expect(few.output.contains(":3: " + JobFaults.otherURL("a")))
        #expect(few.output.contains(":5: " + JobFaults.noScheme))
        #expect(!few.output.contains(":1: ") && !few.output.contains("more refused"))
        let many = try run("add", try list((10..<40).map { "http://h/\($0)/a\n" }.joined()), on: queue)
        #expect(many.output.contains(":20: ") && !many.output.contains(":21: "))
        #expect(many.output.contains("10 more refused"))
        #expect(many.output.contains("0 added, 30 with another URL's destination"), "\(many.output)")
    }

    @Test(
        "A wrong command line is refused with exit code 2",
        arguments: [
            [], ["frob"], ["status", "--frob"], ["add"], ["add", "a", "b"], ["purge", "--older", "x"],
            ["purge", "--older", "7"], ["purge", "--older", "d"],
            ["purge", "--state", "running"], ["export", "--format", "xml"], ["status", "--json=1"],
            ["status", "--queue"],
        ])
    func usage(words: [String]) throws {
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: test.environment)
        #expect(program.wait() == 2, "\(program.output)")
    }

    @Test(
        "An empty value is refused with one sentence: it is a variable that a script has not set",
        arguments: [
            ["status", "--queue", ""], ["status", "--queue="], ["status", "--queue", "  "], ["retry", "--cause", ""],
            ["retry", "--host="], ["add", "list", "-d", ""],
        ])
    func emptyValue(words: [String]) throws {
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: test.environment)
        #expect(program.wait() == 2, "\(program.output)")
        #expect(program.output.contains("is empty") && program.output.count { $0 == "\n" } == 1, "\(program.output)")
    }

    @Test("Help names every command and option")
    func help() throws {
        let all = try run("help").output
        for name in ["init", "add LIST", "status", "retry", "purge", "export"] { #expect(all.contains(name)) }
        #expect(try run("add", "--help").output.contains("-d, --directory DIR"))
        #expect(try run("init", "--grants").output.contains("CREATE ROLE netdash_worker"))
    }

    @Test(
        "A password in the queue's URL is refused, and neither ps nor the error shows it",
        arguments: [["--queue", "postgres://u:hunter2@h/d"], ["--queue=postgres://u@h/d?password=hunter2"]])
    func password(words: [String]) throws {
        let program = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["status"] + words, environment: test.environment)
        #expect(program.wait() == 2)
        #expect(program.output.contains(QueueErrors.passwordInAddress) && !program.output.contains("hunter2"))
        // The same on an array of the test's own, which is what ps would show.
        var arguments = (["netdash-fleet", "add"] + words).map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        let count = arguments.count
        let refusal = QueueAddress.hideRefused(in: &arguments, count: count)
        #expect(refusal == FleetError(.usage, QueueErrors.passwordInAddress))
        let shown = arguments.compactMap { $0.map { String(cString: $0) } }
        #expect(shown.prefix(2) == ["netdash-fleet", "add"] && !shown.joined().contains("hunter2"))
    }

    @Test("A list whose name looks like an address is a list")
    func listName() throws {
        let words = ["netdash-fleet", "add", "passwords.txt", "--queue", "host=h"]
        var arguments = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        let count = arguments.count
        #expect(QueueAddress.hideRefused(in: &arguments, count: count) == nil)
    }

    @Test("A server that is away ends a command with exit code 4, without a password of the environment")
    func away() throws {
        var environment = test.environment
        environment["PGHOST"] = "/nowhere"
        environment["PGPASSWORD"] = "hunter2"
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), ["status"], environment: environment)
        #expect(program.wait() == 4)
        #expect(program.output.contains("not available") && !program.output.contains("hunter2"))
    }

    @Test("An unreadable list is an error of files")
    func unreadable() throws {
        #expect(try run("add", "/nowhere/list").code == 3)
    }
}
