import Foundation
import LoopbackServer
import Testing

/// Answers that are not quite by the book, and what the program says of them.
@Suite("Odd answers", .timeLimit(.minutes(1)))
struct OddAnswerTests {
    @Test("Digest is never shown as Basic, also where the name and the password stand in the URL")
    func digest() async throws {
        let folder = try ScratchFolder()
        var refusal = ScriptedResponse.text("no", status: 401)
        refusal.headers["WWW-Authenticate"] = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
        let server = try Served.start([
            "/x": .choosing { [refusal] in
                $0.header("Authorization")?.hasPrefix("Digest ") == true ? .respond(.text("in")) : .respond(refusal)
            }
        ])
        let url = server.url("/x").replacing("http://", with: "http://me:hush@")
        for (options, first) in [(["--digest"], nil), ([], "Basic ")] as [([String], String?)] {
            server.clearRequests()
            let run = try await ProgramRun.finished(["request", "--quiet"] + options + [url], in: folder)
            #expect(run.status == 0 && run.text == "in", "\(run.messages)")
            let shown = server.requests.map { $0.header("Authorization").map { String($0.prefix(6)) } }
            #expect(shown == [first, "Digest"])
        }
    }

    @Test("A word that is no coding is told once, and the body is shown")
    func coding() async throws {
        let folder = try ScratchFolder()
        var answer = ScriptedResponse.text("the body\n")
        answer.headers["Content-Encoding"] = "UTF-8"
        let server = try Served.start(["/x": .respond(answer)])
        let run = try await ProgramRun.finished(["request", "--plain", server.url("/x")], in: folder)
        #expect(run.status == 0 && run.text == "the body\n", "\(run.messages)")
        #expect(run.messages.contains("Unknown Content-Encoding: UTF-8; body kept as received"))
    }

    @Test("A digest in a trailer is compared", arguments: ["Repr-Digest", "Content-Digest", "repr-digest"])
    func trailer(name: String) async throws {
        let folder = try ScratchFolder()
        // Of "the body\n", and of nothing.
        for (digest, isRight) in [
            ("A2qORORyUjwDBpRvJxLzcsI0+KJFMukz8VCa5NsNoGQ=", true),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false),
        ] {
            var answer = ScriptedResponse.text("the body\n")
            answer.framing = .chunked
            answer.trailers = [name: "sha-256=:\(digest):"]
            let server = try Served.start(["/\(isRight)": .respond(answer)])
            let run = try await ProgramRun.finished(["--plain", server.url("/\(isRight)")], in: folder)
            #expect((run.status == 0) == isRight, "\(run.messages)")
            #expect(run.messages.contains("sha-256") || isRight, "\(run.messages)")
        }
        #expect(try folder.names.contains("true") && !folder.names.contains("false"))
    }

    @Test("A coding that was not asked for is told of a download to standard output too", arguments: ["-", "f"])
    func unaskedCoding(output: String) async throws {
        let folder = try ScratchFolder()
        var answer = ScriptedResponse.text("not really gzip\n")
        answer.headers["Content-Encoding"] = "gzip"
        let server = try Served.start(["/x": .respond(answer)])
        let run = try await ProgramRun.finished(["--plain", "-o", output, server.url("/x")], in: folder)
        let body = output == "-" ? run.output : folder.bytes(of: output)
        #expect(run.status == 0 && body == Array("not really gzip\n".utf8), "\(run.messages)")
        #expect(run.messages.contains("Content-Encoding gzip was not asked for"), "\(run.messages)")
    }

    @Test(
        "A mirror's own name and password are shown by the scheme that was asked for", arguments: [[], ["-u", "a:b"]])
    func mirror(user: [String]) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/x": .respond(.text("no", status: 404))])
        let other = try Served.start(["/x": .file(seed: 1, count: 100)])
        let mirror = other.url("/x").replacing("http://", with: "http://me:hush@")
        let run = try await ProgramRun.finished(
            ["--plain", "--digest"] + user + ["--mirror", mirror, server.url("/x")], in: folder)
        #expect(run.status == 0 && folder.bytes(of: "x")?.count == 100, "\(run.messages)")
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test("A circle of redirects that a cookie would end names the option that keeps cookies")
    func circle() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/door": .choosing { request in
                guard request.header("Cookie") == nil else { return .respond(.text("in")) }
                return .respond(ScriptedResponse(302, headers: ["Location": "/door", "Set-Cookie": "s=1"]))
            }
        ])
        let words = ["request", "--plain", server.url("/door")]
        let refused = try await ProgramRun.finished(words, in: folder)
        #expect(refused.status == 1, "\(refused.messages)")
        #expect(refused.messages.contains("which are not kept; --cookie-jar FILE keeps them"), "\(refused.messages)")
        let kept = try await ProgramRun.finished(words + ["--cookie-jar", "jar"], in: folder)
        #expect(kept.status == 0 && kept.text == "in", "\(kept.messages)")
    }

    @Test("A redirect without a place fails, and its body is shown", arguments: [nil, "ftp://h/"])
    func redirect(location: String?) async throws {
        let folder = try ScratchFolder()
        var answer = ScriptedResponse.text("<Error/>", status: 301)
        if let location { answer.headers["Location"] = location }
        let server = try Served.start(["/x": .respond(answer)])
        try folder.write("content", to: "file")
        let run = try await ProgramRun.finished(["request", "--plain", server.url("/x")], in: folder)
        #expect(run.status == 1 && run.text == "<Error/>", "\(run.messages)")
        #expect(
            run.messages.contains("301")
                && run.messages.contains(location == nil ? "without a Location" : "cannot be followed"))
        let upload = try await ProgramRun.finished(["upload", "--plain", "file", server.url("/x")], in: folder)
        #expect(upload.status == 1 && upload.messages.contains("301"), "\(upload.messages)")
    }

    @Test("A server that wants the length of what comes from a pipe says what helps")
    func length() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/x": .refusing(.text("", status: 411))])
        let result = try await ProgramRun.finished(
            ["upload", "--plain", "-", server.url("/x")], in: folder, input: "piped")
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.messages.contains("body of unknown length refused; send a file"))
    }

    @Test("A file of cookies of which nothing can be read is named")
    func cookies() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/x": .respond(.text("in"))])
        try folder.write("[{\"name\":\"a\"}]\n", to: "jar")
        let run = try await ProgramRun.finished(
            ["request", "--plain", "--cookie", "jar", server.url("/x")], in: folder)
        #expect(run.status == 0 && run.messages.contains("No cookies found in jar"), "\(run.messages)")
    }
}
