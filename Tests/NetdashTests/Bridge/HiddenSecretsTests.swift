import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// The files of a saved session, for every option whose value can contain a secret.
@Suite("Secrets that a saved session hides", .timeLimit(.minutes(1)))
struct HiddenSecretsTests {
    /// A value of an option, in which `sesame` is the secret.
    struct Sample: Sendable, CustomTestStringConvertible {
        let option: JobOption
        let text: String
        var kind = Job.Kind.download
        var testDescription: String { option.name + "=" + text }

        init(_ option: JobOption, _ text: String, _ kind: Job.Kind = .download) {
            (self.option, self.text, self.kind) = (option, text, kind)
        }
    }

    private static let samples = [
        Sample(.mirror, "http://me:sesame@m.example/f"), Sample(.mirror, "http://m.example/f?token=sesame"),
        Sample(.proxy, "http://me:sesame@p.example:8080"), Sample(.proxy, "me:sesame@p.example:8080"),
        Sample(.referer, "http://me:sesame@r.example/"), Sample(.referer, "http://r.example/?token=sesame"),
        Sample(.nameService, "https://d.example/?token=sesame"),
        Sample(.user, "me:sesame"), Sample(.proxyUser, "me:sesame"), Sample(.bearer, "sesame"),
        Sample(.secretHeader, "X-Own: sesame"), Sample(.keyPassword, "sesame"), Sample(.cookie, "sid=sesame"),
        Sample(.form, "password=sesame", .data), Sample(.urlEncoded, "password=sesame", .data),
        Sample(.jsonBody, #"{"password":"sesame"}"#, .data), Sample(.assertion, "json:.token==sesame", .data),
        Sample(.until, "header:X-Token=sesame", .data),
        Sample(.thenDownload, #""http://h.example/f?token=sesame&id=" + .id"#, .data),
        Sample(.paginateJSON, #""http://me:sesame@h.example/" + .next"#, .data),
    ]

    @Test("No file of a session contains the secret of an option, and the row asks for it", arguments: samples)
    func options(sample: Sample) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        var job = Job(kind: sample.kind, url: fixture.server.url("/f"))
        job.options = [try JobOption.Value(checking: sample.option, sample.text)]
        job.startsPaused = true
        let first = try fixture.run(EffectsObserver())
        first.add([job])
        #expect(try fixture.stored(by: first).count == 1)
        try expectNoSecret(in: fixture)
        _ = first.close()
        try expectNoSecret(in: fixture)
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        let row = try #require(second.allSnapshots.first)
        #expect(row.state == .failed)
        #expect(row.error?.string.contains("--" + sample.option.name) == true, "\(row.error?.string ?? "no error")")
    }

    private func expectNoSecret(in fixture: SavedSessionFixture) throws {
        let state = fixture.folder.appendingPathComponent("state")
        let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
        for name in names {
            let bytes = try Data(contentsOf: state.appendingPathComponent(name))
            #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(name)")
        }
    }
}
