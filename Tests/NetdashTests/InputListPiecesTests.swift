import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import netdash

@Suite("Input lists whose jobs are made a few at a time")
struct InputListPiecesTests {
    private static let lines = [
        "http://h/a", "https://host.example:8080/b/c.iso", "example.com/plain", "", "# comment", "  out=name.bin",
        "\theader=X-A: 1", " kind=data", " pause=true", "http://h/with space?", "http://h/crlf\r",
    ]

    /// What the parser makes of the lines one after the other: the jobs, or the first thing that is wrong.
    private func reference(_ text: String) -> Result<[Job], UsageError> {
        var parser = InputListParser(name: "list", defaults: Job(kind: .download, url: ""))
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var entries = lines.map { parser.consume(line: String(decoding: $0, as: UTF8.self)) }
        entries.append(parser.endJob())
        var jobs: [Job] = []
        for entry in entries {
            switch entry {
            case .job(let job): jobs.append(job)
            case .failure(_, let error): return .failure(error)
            case nil: break
            }
        }
        return .success(jobs)
    }

    private func pieces(_ text: String, of length: Int) -> Result<[Job], UsageError> {
        do throws(UsageError) {
            var list = try InputList(Array(text.utf8), name: "list", defaults: Job(kind: .download, url: ""))
            var jobs: [Job] = []
            while case let piece = list.next(length), !piece.isEmpty { jobs += piece }
            return .success(jobs)
        } catch {
            return .failure(error)
        }
    }

    @Test("Whatever stands in a list, its pieces are what its lines say, and so is what is wrong in it")
    func piecesAreTheLines() {
        var random = GoldenRandom(seed: 5)
        var good = 0
        for _ in 0..<600 {
            let count = Int.random(in: 0...9, using: &random)
            // Most lists are in order, so that their jobs are compared too.
            let choices = Int.random(in: 0..<3, using: &random) == 0 ? Self.lines[...] : Self.lines[..<5]
            let lines = (0..<count).map { _ in choices.randomElement(using: &random) ?? "" }
            let text = lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")
            let expected = reference(text)
            if case .success = expected { good += 1 }
            for length in [1, 3, 100] { #expect(pieces(text, of: length) == expected, "\(lines)") }
        }
        #expect(good > 300)
    }

    @Test("A list of jobs hands them out in order, once")
    func jobListHandsOut() throws {
        let list = try InputList(
            Array("http://h/2\nhttp://h/3\n".utf8), name: "list", defaults: Job(kind: .data, url: ""))
        let jobs = JobList([Job(kind: .data, url: "http://h/1")], [list, list])
        #expect(jobs.next(2).map(\.url) == ["http://h/1", "http://h/2"])
        #expect(!jobs.isEmpty)
        #expect(jobs.next(.max).map(\.url) == ["http://h/3", "http://h/2", "http://h/3"])
        #expect(jobs.isEmpty && jobs.next(1).isEmpty)
    }
}
