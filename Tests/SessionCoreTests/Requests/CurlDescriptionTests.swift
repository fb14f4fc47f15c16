import Foundation
import Testing

@testable import SessionCore

@Suite("Requests as commands of curl's")
struct CurlDescriptionTests {
    @Test("Method, fields, body and URL are there, and secrets are not")
    func everything() throws {
        var request = TransferRequest(
            url: "https://me:word@example.org/a?token=abc&b=1", method: "POST",
            headers: ["Authorization": "Bearer abc", "X-Name": "it's"], body: .bytes(Array("{\"a\": 1}".utf8)))
        let text = request.cURLDescription
        #expect(text.hasPrefix("curl -v -X 'POST' -H 'Authorization: "))
        #expect(text.contains(#"-H 'X-Name: it'\''s'"#) && text.contains(#"--data-binary '{"a": 1}'"#))
        #expect(!text.contains("abc") && !text.contains("word") && text.contains("b=1"))
        request.body = .bytes(Array("user=me&password=abc".utf8))
        #expect(request.cURLDescription.contains("'(20 bytes with a secret)'"))
        request.body = .bytes([0xFF, 0xFE])
        #expect(request.cURLDescription.contains("'(2 bytes of binary data)'"))
        request.body = .file(path: "/tmp/a b")
        #expect(request.cURLDescription.contains("--data-binary '@/tmp/a b'"))
        #expect(TransferRequest(url: "http://h/", method: "HEAD").cURLDescription == "curl -v -I 'http://h/'")
    }

    @Test(
        "A shell reads each word as it was, and no control character stands in it",
        arguments: ["plain", "it's", "a\nb\\c'd", "\u{1B}[2J", "$(id) `id` \"x\" !", "ü\u{85}\u{9B}"])
    func shell(_ word: String) throws {
        let request = TransferRequest(url: "http://h/", method: "PUT", body: .bytes(Array(word.utf8)))
        let text = request.cURLDescription
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "curl() { printf '%s\\0' \"$@\"; }; " + text]
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let words = printed.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(words == ["-v", "-X", "PUT", "--data-binary", word, "http://h/"])
    }

    @Test("A task's is that of its last hop")
    func task() throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        #expect(task.cURLDescription == "curl -v 'http://127.0.0.1/file'" || task.cURLDescription.contains("-H"))
        task.changeRequest(to: TransferRequest(url: "http://127.0.0.1/other"))
        #expect(task.cURLDescription == "curl -v 'http://127.0.0.1/other'")
    }
}
