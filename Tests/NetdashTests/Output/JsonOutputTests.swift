import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("JSON events")
struct JsonOutputTests {
    private func line(_ what: TransferEvent.What) -> String {
        let event = TransferEvent(time: Timestamp(milliseconds: 951_782_400_042), id: 3, what: what)
        return String(decoding: JSONEventFormatter().line(for: event), as: UTF8.self)
    }

    private let head = "\"time\":\"2000-02-29T00:00:00.042Z\",\"id\":3"

    @Test("Each event is one object on one line, and unknown numbers are null")
    func events() {
        #expect(line(.started) == "{\"event\":\"started\",\(head)}\n")
        #expect(
            line(.progress(TransferEvent.Figures(received: 5)))
                == "{\"event\":\"progress\",\(head),\"received\":5,\"sent\":0,\"expectedToReceive\":null,"
                + "\"expectedToSend\":null,\"bytesPerSecond\":null}\n")
        #expect(
            line(.response(status: 206, headers: 4, continuation: .yes))
                == "{\"event\":\"response\",\(head),\"status\":206,\"headers\":4,\"resumable\":true,"
                + "\"continuation\":\"yes\"}\n")
        for (continuation, word) in [(Resumability.unknown, "unknown"), (.no, "no")] {
            #expect(
                line(.response(status: 200, headers: 1, continuation: continuation))
                    .hasSuffix("\"resumable\":false,\"continuation\":\"\(word)\"}\n"))
        }
        let answer = TransferEvent.Head(
            version: "HTTP/1.1", reason: "No \"such\"",
            fields: [.init(name: "A", value: "\u{1B}"), .init(name: "A", value: "2")])
        #expect(
            line(.response(status: 404, headers: 2, continuation: .no, head: answer))
                .hasSuffix(
                    #","version":"HTTP/1.1","reason":"No \"such\"","fields":[["A","\u001b"],["A","2"]]}"# + "\n"))
        let failure = TransferFailure(kind: "http", category: .ordinary, message: "not \"found\"", httpStatus: 404)
        #expect(
            line(.failed(failure))
                == "{\"event\":\"failed\",\(head),\"error\":{\"kind\":\"http\",\"message\":\"not \\\"found\\\"\","
                + "\"httpStatus\":404,\"path\":null}}\n")
        let end = TransferEvent(
            time: Timestamp(milliseconds: 951_782_400_042), id: 3, url: "http://u:p@h/?token=x", what: .cancelled)
        #expect(
            String(decoding: JSONEventFormatter().line(for: end), as: UTF8.self)
                == "{\"event\":\"cancelled\",\(head),\"url\":\"http://***@h/?token=***\"}\n")
        var job = TransferEvent.Description(kind: .data, url: "http://h/", method: "GET", path: nil)
        job.isRepeated = true
        #expect(
            line(.added(job))
                == "{\"event\":\"added\",\(head),\"kind\":\"data\",\"url\":\"http://h/\",\"method\":\"GET\","
                + "\"path\":null,\"repeated\":true}\n")
    }

    @Test("Any string comes back from a JSON reader as it was, and no control character is in the line")
    func escaping() throws {
        let nasty = "a\"b\\c\n\r\t\u{0}\u{1B}[31m\u{7F}\u{9B}\u{202E}\u{200B}\u{2028}é漢😀\u{E0041}/"
        let text = line(.restarted(reason: nasty))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["reason"] as? String == nasty)
        let isClean = text.dropLast().unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0.properties.generalCategory != .format
        }
        #expect(isClean)
    }

    @Test("An end says whether the file was there already, and its digest only when there was one to check")
    func completion() {
        func line(_ completion: TransferEvent.Completion) -> String {
            let event = TransferEvent(time: Timestamp(milliseconds: 0), id: 1, what: .completed(completion))
            return String(decoding: JSONEventFormatter().line(for: event), as: UTF8.self)
        }
        let start = "{\"event\":\"completed\",\"time\":\"1970-01-01T00:00:00.000Z\",\"id\":1,\"path\":"
        #expect(
            line(.init(path: "/a", bytes: 9, sha256: "0f", seconds: 0.5))
                == start + "\"/a\",\"bytes\":9,\"sha256\":\"0f\",\"seconds\":0.5,\"skipped\":false}\n")
        #expect(
            line(.init(path: "/a", bytes: 0, seconds: 0, wasSkipped: true))
                == start + "\"/a\",\"bytes\":0,\"seconds\":0.0,\"skipped\":true}\n")
    }

    @Test("The summary is the run in figures")
    func summary() {
        let summary = RunSummary(results: [.completed, .cancelled], moved: MovedBytes(received: 9), seconds: 0.25)
        let text = String(
            decoding: JSONEventFormatter().line(for: summary, time: Timestamp(milliseconds: 0)), as: UTF8.self)
        #expect(
            text == "{\"event\":\"summary\",\"time\":\"1970-01-01T00:00:00.000Z\",\"completed\":1,\"failed\":0,"
                + "\"cancelled\":1,\"paused\":0,\"bytes\":9,\"seconds\":0.25}\n")
    }

    @Test(
        "Moments before and after 1970 are written as RFC 3339 says",
        arguments: [
            (Int64(-1), "1969-12-31T23:59:59.999Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ])
    func timestamps(milliseconds: Int64, expected: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == expected)
    }
}
