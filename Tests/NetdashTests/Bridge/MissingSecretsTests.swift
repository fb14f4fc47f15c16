import LoopbackServer
import SessionCore
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Rows whose secrets were not saved, and what they say of them.
@Suite("Secrets that are missing after a restart", .timeLimit(.minutes(1)))
struct MissingSecretsTests {
    @Test(
        "A row that waits for a lost secret says which one it is",
        arguments: [
            ("cookie=a=b", "cookie", "--cookie"), ("bearer=b", "token", "--bearer"),
            ("secret-header=X-Key: b", "header", "--secret-header"), ("user=me:b", "password", "--user"),
            ("proxy-user=me:b", "proxy login", "--proxy-user"), ("pass=b", "key pass", "--pass"),
            ("user=me:b bearer=b", "secrets", "--user, --bearer"),
        ])
    func lostSecrets(options: String, word: String, names: String) throws {
        var secret = Job(kind: .download, url: "http://h/f")
        for option in options.split(separator: " ").filter({ $0.contains("=") }) {
            let parts = option.split(separator: "=", maxSplits: 1)
            let text = parts[0] == "secret-header" ? "X-Key: b" : String(parts[1])
            secret.options.append(JobOption.Value(try #require(JobOption.named(String(parts[0]))), text))
        }
        try expectLost(secret, word, names)
    }

    @Test("A lost header field is called by its name, and a field of cookies a cookie")
    func lostFields() throws {
        for (name, word) in [("Cookie", "cookie"), ("X-Api-Key", "header"), ("Authorization", "header")] {
            var secret = Job(kind: .download, url: "http://h/f")
            secret.headers.append(name: name, value: "a=sesame")
            try expectLost(secret, word, name)
        }
    }

    @Test("The job for a form names the lost fields, and a row is not replaced by a job that still has a mask")
    func shownJob() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(count: 1000))
        var job = Job(kind: .download, url: fixture.server.url("/f"))
        job.headers.append(name: "X-Api-Key", value: "sesame")
        job.startsPaused = true
        let first = try fixture.run(EffectsObserver())
        let id = try #require(first.send(.add([job])).added.first)
        _ = first.close()
        let next = try fixture.run(EffectsObserver())
        var shown = try #require(next.jobs(of: [id]).first)
        #expect(shown.headers["X-Api-Key"] == Redaction.mask)
        let base = shown
        let refusal = next.send(.replace(id, with: shown, over: base)).refusals.first
        #expect(refusal?.reason.string.contains("X-Api-Key") == true)
        shown.headers["X-Api-Key"] = "again"
        #expect(next.send(.replace(id, with: shown, over: base)).refusals.isEmpty)
        #expect(next.jobs(of: [id]).first?.headers["X-Api-Key"] == "again")
        _ = next.close()
    }

    private func expectLost(_ job: Job, _ word: String, _ names: String) throws {
        var stored = StoredTransfer(
            id: TransferID(rawValue: 1), kind: .download, request: TransferRequest(url: job.url), destination: .memory,
            createdAt: 0)
        (stored.annotation, stored.needsCredentials) = (SavedJob.annotation(of: job), true)
        let row = TransferRow(restoring: stored)
        guard case .failed(let failure) = row.run.result else {
            Issue.record("\(row.run)")
            return
        }
        #expect(failure.message == "Secrets are not saved (\(names)); edit the task, or add it again with them")
        #expect(Cause(rawValue: failure.kind)?.word(status: 200, cells: 11).string == word)
    }
}
