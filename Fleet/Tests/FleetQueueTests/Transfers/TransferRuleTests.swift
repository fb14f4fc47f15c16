import Dispatch
import Foundation
import LoopbackServer
import SessionCore
import Synchronization
import Testing

@testable import FleetQueue
@testable import FleetTransfers

@Suite("Secrets, requests and failures of a worker's downloads")
struct TransferRuleTests {
    private let environment = ["TOKEN": "sesame", "PAIR": "me:a b:c"]

    private func job(_ request: String? = nil, url: String = "http://h/a", checksum: String? = nil) -> ClaimedJob {
        ClaimedJob(id: 1, epoch: 1, host: "h", url: url, destination: "x/y/a", request: request, checksum: checksum)
    }

    @Test("Secrets reach the request by their references, and only the allowed ones")
    func secrets() throws {
        let policy = try SecretPolicy("env:TOKEN=h,env:PAIR")
        let options =
            #"{"header":["X-Key: @env:TOKEN","A: b"],"query":["sig=@env:TOKEN","a b=c&d"],"auth":["@env:PAIR"]}"#
        let made = try JobRequest(job(options, url: "http://h/a?x=1#f"), policy: policy, environment: environment)
        #expect(made.request.headers["X-Key"] == "sesame" && made.request.headers["A"] == "b")
        #expect(made.request.url == "http://h/a?x=1&sig=sesame&a%20b=c%26d")
        #expect(made.request.options?.credentials == RequestCredentials(user: "me", password: "a b:c"))
        #expect(made.secrets.contains("sesame") && made.secrets.contains("a b:c"))
        let bearer = try JobRequest(job(#"{"bearer":["@env:TOKEN"]}"#), policy: policy, environment: environment)
        #expect(bearer.request.headers["Authorization"] == "Bearer sesame")
    }

    @Test(
        "A reference that the worker does not allow is not followed",
        arguments: ["", "env:OTHER", "env:TOKEN=other", "file:/", "env:TOKE"])
    func refused(list: String) throws {
        let policy = try SecretPolicy(list)
        #expect(throws: TransferFault(TransferFaults.notAllowed("env:TOKEN", host: "h", isFirst: list.isEmpty))) {
            try policy.read(.environment("TOKEN"), host: "h", environment: environment)
        }
    }

    @Test(
        "A list with an empty part of a rule is refused, and gives no host anything",
        arguments: ["env:TOKEN=", "=", "=h", "env:=h", "env:A=h,env:TOKEN=", ":TOKEN", "env"])
    func emptyParts(list: String) {
        #expect(throws: FleetError(.usage, TransferFaults.badSecrets)) { try SecretPolicy(list) }
    }

    @Test(
        "The option that a refusal names allows the reference, and where none can it says so",
        arguments: [
            ("env:TOKEN", true), ("cmd:/bin/pass show x", true), ("cmd:pass", false), ("file:/a,b", false),
        ])
    func allowed(reference: String, hasOption: Bool) throws {
        let text = TransferFaults.notAllowed(reference, host: "h:8080", isFirst: true)
        let option = text.firstRange(of: "--secrets '").map { text[$0.upperBound...].prefix { $0 != "'" } }
        #expect((option != nil) == hasOption, "\(text)")
        guard let option else { return }
        let policy = try SecretPolicy(String(option))
        let read = try #require(SecretReference("@" + reference))
        let outputs = ["/bin/pass show x": Result<String, TransferFault>.success("sesame")]
        #expect(try policy.read(read, host: "h:8080", environment: environment, outputs: outputs) == "sesame")
        let more = TransferFaults.notAllowed(reference, host: "h:8080", isFirst: false)
        #expect(more.hasSuffix("add ,\(option) to its --secrets"))
    }

    @Test("Reports ring once until they are taken, and none is lost")
    func rings() throws {
        let bell = try Bell()
        let ledger = RunnerLedger(bell: bell)
        for round in 1...2 {
            for id in 1...3 { ledger.report(.stopped(Int64(id), received: nil)) }
            #expect(bell.clear() == 1, "round \(round)")
            #expect(ledger.takeReports(withCounts: false).count == 3)
        }
    }

    /// The names of the notifications that its tasks have posted.
    private final class Notices: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock(\.self) }
        func note(_ notice: Notification, of url: String) {
            guard (notice.object as? SessionTask)?.request.url == url else { return }
            names.withLock { $0.append(notice.name.rawValue) }
        }
    }

    @Test("A job's task waits for no queue that a worker does not run")
    func notifications() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/quiet", .file(seed: 1, count: 100))
        let (bell, notices, url) = (try Bell(), Notices(), server.url("/quiet"))
        let names: [Notification.Name] = [
            .sessionTaskDidResume, .sessionTaskDidComplete, .sessionDownloadTaskDidMoveFile,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notices.note($0, of: url) }
        }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        let folder = try SimulatedFolder()
        let runner = SessionRunner(
            root: folder.path, slots: 1, policy: try SecretPolicy(""), environment: [:], bell: bell)
        runner.start(job(url: url))
        var reports: [JobReport] = []
        eventually("the job ends") {
            reports += runner.takeReports().filter { if case .moved = $0 { false } else { true } }
            return !reports.isEmpty
        }
        guard case .done(1, received: 100, _) = reports.first else { return #expect(reports.isEmpty) }
        // What was posted to the main queue before has been carried out.
        let isLast = Mutex(false)
        DispatchQueue.main.async { isLast.withLock { $0 = true } }
        eventually("the main queue is empty") { isLast.withLock(\.self) }
        #expect(notices.all.isEmpty)
    }

    @Test("A stored result is read as it was written")
    func storedResult() throws {
        var result = JobResult(nil)
        (result.status, result.etag, result.url, result.skipped) = (200, "\"a\\b\u{7}\"", "http://h/ä", true)
        let read = JobResult(result.json)
        #expect(read.status == 200 && read.etag == result.etag && read.url == result.url && read.skipped == true)
        #expect(read.digest == nil && !result.json.contains("digest"))
    }

    @Test("Files are read below an allowed folder only")
    func files() throws {
        let folder = try SimulatedFolder().path
        try "secret\nmore".write(toFile: folder + "/a", atomically: true, encoding: .utf8)
        let policy = try SecretPolicy("file:\(folder)/")
        #expect(try policy.read(.file(folder + "/a"), host: "h", environment: [:]) == "secret")
        let outside = folder + "/../passwd"
        #expect(throws: TransferFault(TransferFaults.notAllowed("file:" + outside, host: "h", isFirst: false))) {
            try policy.read(.file(outside), host: "h", environment: [:])
        }
        #expect(throws: TransferFault(TransferFaults.unreadable(folder + "/b"))) {
            try policy.read(.file(folder + "/b"), host: "h", environment: [:])
        }
        #expect(throws: FleetError(.usage, TransferFaults.badSecrets)) { try SecretPolicy("TOKEN") }
        #expect(throws: FleetError(.usage, TransferFaults.badSecrets)) { try SecretPolicy("cmd:pass show x") }
    }

    @Test("A command counts only as the worker's list has it, word for word, and for its host")
    func commands() throws {
        let policy = try SecretPolicy("cmd:/bin/pass show x=h,cmd:/bin/any")
        let outputs = ["/bin/pass show x": Result<String, TransferFault>.success("sesame")]
        func read(_ text: String, host: String = "h") throws -> String {
            try policy.read(.command(text), host: host, environment: [:], outputs: outputs)
        }
        #expect(try read("/bin/pass show x") == "sesame")
        for (text, host) in [
            ("/bin/pass show x", "other"), ("/bin/pass show y", "h"), ("/bin/pass show x; id", "h"), ("/bin/pass", "h"),
            ("id", "h"), ("/bin/any $(id)", "h"),
        ] {
            #expect(throws: TransferFault(TransferFaults.notAllowed("cmd:" + text, host: host, isFirst: false))) {
                try read(text, host: host)
            }
        }
        let unfinished = TransferFaults.command("/bin/any", TransferFaults.commandNotRun)
        #expect(throws: TransferFault(unfinished, isPassing: true)) { try read("/bin/any") }
        let request = #"{"header":["A: @cmd:/bin/any","B: c"],"bearer":["@cmd:/bin/pass show x"],"auth":["@env:X"]}"#
        #expect(JobRequest.commands(of: job(request)) == ["/bin/any", "/bin/pass show x"])
    }

    @Test("No shell reads a command's words, and what it prints is its first line")
    func commandOutput() {
        #expect(SecretCommand.run("/bin/echo a; $(id) `id` | b > c") == .success("a; $(id) `id` | b > c"))
        #expect(SecretCommand.run("/usr/bin/printf one\\ntwo\\n") == .success("one"))
        // It has nothing to read.
        #expect(SecretCommand.run("/bin/cat") == fault("/bin/cat", TransferFaults.commandPrintedNothing))
    }

    @Test(
        "A command that fails, is too slow or prints too much gives no secret",
        arguments: [
            ("/bin/false", TransferFaults.commandStatus(1)),
            ("/bin/sleep 60", TransferFaults.commandTooSlow(seconds: 1)),
            ("/usr/bin/yes secret", TransferFaults.commandTooLong(bytes: SecretCommand.longestOutput)),
            ("/nowhere/program", TransferFaults.commandNotStarted("No such file or directory")),
        ])
    func failingCommand(text: String, reason: String) {
        #expect(SecretCommand.run(text, seconds: 1) == fault(text, reason))
    }

    private func fault(_ text: String, _ reason: String) -> Result<String, TransferFault> {
        .failure(TransferFault(TransferFaults.command(text, reason), isPassing: true))
    }

    @Test("A job's destination becomes a folder and a name, with its checksum")
    func target() {
        let target = JobRequest.target(of: job(checksum: "md5=000102030405060708090a0b0c0d0e0f"), below: "/r")
        #expect(target.folder == "/r/x/y" && target.name == .fixed("a") && target.collision == .same)
        #expect(target.checksum == Checksum(algorithm: .md5, digest: Array(0...15)))
    }

    private func failure(
        of error: SessionError, head: ResponseHead? = nil, secrets: [String] = [], folder: String = "/tmp",
        isSpool: Bool = false
    ) -> JobFailure {
        .of(error, head: head, secrets: secrets, below: WorkerFolder(path: folder, isSpool: isSpool))
    }

    @Test(
        "What follows from a failure",
        arguments: [
            (429, JobFailure.hold(seconds: 7, "status 429", host: "h")),
            (503, .hold(seconds: 7, "status 503", host: "h")),
            (500, .again("status 500")), (408, .again("status 408")), (404, .final("status 404")),
            (403, .final("status 403")),
        ])
    func statuses(status: Int, expected: JobFailure) {
        var head = ResponseHead(statusCode: status, headers: ["Retry-After": "7"], url: "http://h/a")
        head.headers["Date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        let error = SessionError(.http, "status", statusCode: status)
        #expect(failure(of: error, head: head) == expected)
    }

    @Test("The host of a refusing answer is held, which a redirect may have named")
    func holdAfterRedirect() {
        let head = ResponseHead(statusCode: 429, headers: ["Retry-After": "7"], url: "https://Other:81/a?b")
        let error = SessionError(.http, "status", statusCode: 429)
        #expect(failure(of: error, head: head) == .hold(seconds: 7, "status 429", host: "other:81"))
        #expect(failure(of: error) == .hold(seconds: nil, "status 429"))
    }

    @Test("A job that is too large for a disk with room is the job's trouble, and a full disk the worker's")
    func room() {
        let full = SessionError(.diskFull, "full", errno: ENOSPC)
        let quota = SessionError(.diskFull, "full", errno: EDQUOT)
        let cause = JobCause("full", kind: CauseFaults.kind(of: .diskFull))
        func failure(_ error: SessionError, size: Int64?, in folder: String = "/tmp") -> JobFailure {
            .of(error, head: nil, secrets: [], below: WorkerFolder(path: folder), size: size)
        }
        #expect(failure(full, size: .max) == .tooLarge(cause))
        #expect(failure(full, size: nil) == .unable(cause))
        #expect(failure(quota, size: .max) == .unable(cause))
        #expect(failure(full, size: .max, in: "/proc/self") == .unable(cause), "a disk without free bytes is full")
    }

    @Test("A part that another process has open is no failed attempt, and a folder without a name for one is")
    func partInUse() {
        let cause = JobCause("in use", kind: CauseFaults.kind(of: .partInUse))
        #expect(failure(of: SessionError(.partInUse, "in use", partPath: "/tmp/.a.part")) == .inUse(cause))
        #expect(failure(of: SessionError(.partInUse, "in use")) == .again(cause))
    }

    @Test("A host that refuses connections is held for all workers")
    func refusal() {
        let error = SessionError(.connectionRefused, "refused")
        #expect(failure(of: error) == .refused(JobCause("refused", kind: CauseFaults.kind(of: .connectionRefused))))
    }

    @Test("A host without a route is held for all workers, and halts one only where its machine has no network at all")
    func unreachable() {
        let error = SessionError(.networkUnreachable, "no route", failingURL: "http://far/a")
        let cause = JobCause("no route", kind: CauseFaults.kind(of: .networkUnreachable))
        func failure(hasNetwork: Bool) -> JobFailure {
            .of(error, head: nil, secrets: [], below: WorkerFolder(path: "/tmp"), hasNetwork: hasNetwork)
        }
        #expect(failure(hasNetwork: true) == .refused(cause, host: "far"))
        #expect(failure(hasNetwork: false) == .unable(cause))
    }

    @Test(
        "The host that is held is the one that refused, also after a redirect",
        arguments: [("http://Other:81/b?c", "other:81"), ("https://h:443/a", "h")])
    func refusalAfterRedirect(url: String, host: String) {
        let error = SessionError(.connectionRefused, "refused", failingURL: url)
        #expect(
            failure(of: error)
                == .refused(JobCause("refused", kind: CauseFaults.kind(of: .connectionRefused)), host: host))
        let unreadable = SessionError(.connectionRefused, "refused", failingURL: "http://me:you@h/")
        #expect(failure(of: unreadable) == .again(JobCause("refused", kind: CauseFaults.kind(of: .connectionRefused))))
    }

    @Test("A full disk is the worker's trouble, and causes contain no secret")
    func causes() {
        #expect(
            failure(of: SessionError(.diskFull, "full"))
                == .unable(JobCause("full", kind: CauseFaults.kind(of: .diskFull))))
        let error = SessionError(.timedOut, "no answer of http://h/?sig=sesame")
        #expect(
            failure(of: error, secrets: ["", "sesame"])
                == .again(
                    JobCause("no answer of http://h/?sig=***", kind: CauseFaults.kind(of: .timedOut))))
    }

    @Test("What stands in the way below the worker's folder is the job's trouble, and the folder's own the worker's")
    func obstacles() throws {
        let folder = try SimulatedFolder().path
        let parentIsFile = SessionError(.storage, "no folder", errno: ENOTDIR)
        let denied = SessionError(.permission, "denied", errno: EACCES)
        func cause(_ text: String, _ code: SessionError.Code) -> JobCause {
            JobCause(text, kind: CauseFaults.kind(of: code))
        }
        #expect(failure(of: parentIsFile, folder: folder) == .final(cause("no folder", .storage)))
        // What a spool has in the way is uploaded and gone.
        #expect(failure(of: parentIsFile, folder: folder, isSpool: true) == .again(cause("no folder", .storage)))
        // Another worker of the spool may have removed an empty folder.
        let missing = SessionError(.notFound, "missing", errno: ENOENT)
        #expect(failure(of: missing, folder: folder) == .again(cause("missing", .notFound)))
        #expect(failure(of: missing, folder: folder, isSpool: true) == .inUse(cause("missing", .notFound)))
        #expect(
            failure(of: missing, folder: folder + "/none", isSpool: true) == .unable(cause("missing", .notFound)))
        let folderInWay = SessionError(.destinationIsFolder, "a folder")
        #expect(failure(of: folderInWay, folder: folder) == .final(cause("a folder", .destinationIsFolder)))
        #expect(
            failure(of: folderInWay, folder: folder, isSpool: true) == .again(cause("a folder", .destinationIsFolder)))
        #expect(failure(of: denied, folder: folder) == .again(cause("denied", .permission)))
        #expect(
            failure(of: SessionError(.storage, "broken", errno: EIO), folder: folder)
                == .unable(cause("broken", .storage)))
        let file = folder + "/file"
        try "x".write(toFile: file, atomically: true, encoding: .utf8)
        for missing in [folder + "/none", file] {
            #expect(failure(of: parentIsFile, folder: missing) == .unable(cause("no folder", .storage)))
            #expect(failure(of: denied, folder: missing) == .unable(cause("denied", .permission)))
        }
    }

    @Test("A date in Retry-After counts from the response's own date")
    func retryAfter() {
        #expect(RetryAfter.moment("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(RetryAfter.moment("Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800)
        #expect(RetryAfter.moment("tomorrow") == nil)
        let largest = "\(Int.max)"
        for wrong in [
            "Sun, \(largest) Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 \(largest):49:37 GMT",
            "Sun, 06 Nov 1994 08:\(largest):37 GMT", "Sun, 06 Nov 1994 08:49:\(largest) GMT",
            "Sun, 06 Nov \(largest) 08:49:37 GMT",
        ] {
            #expect(RetryAfter.moment(wrong) == nil, "\(wrong)")
        }
        var head = ResponseHead(statusCode: 503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"], url: "u")
        #expect(RetryAfter.seconds(in: head) == nil)
        head.headers["Date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(RetryAfter.seconds(in: head) == 60)
    }
}
