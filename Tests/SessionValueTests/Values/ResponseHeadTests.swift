import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite("Response head") struct ResponseHeadTests {
    private let head = ResponseHead(
        statusCode: 206, version: .http2,
        headers: [
            "Content-Type": "Text/HTML; charset=utf-8", "Content-Length": "12", "X-A": "1", "x-b": "2",
            "Content-Disposition": "attachment; filename=\"../report.pdf\"",
        ], url: "http://h/a/b.html?c")

    @Test("It answers under the names of Foundation's response, as that one does")
    func names() throws {
        let response = try #require(head.httpURLResponse)
        #expect(head.statusCode == response.statusCode)
        #expect(head.url == response.url?.absoluteString)
        #expect(head.mimeType == response.mimeType)
        #expect(head.expectedContentLength == response.expectedContentLength)
        for name in ["content-type", "X-A", "X-B", "missing"] {
            #expect(head.value(forHTTPHeaderField: name) == response.value(forHTTPHeaderField: name))
        }
        #expect(head.allHeaderFields.count == response.allHeaderFields.count)
        #expect(head.allHeaderFields["X-A"] == "1")
        #expect(head.suggestedFilename == "report.pdf")
    }

    @Test("LT12: without a name from the server the file is called as the URL ends, and lacking fields are no crash")
    func bare() {
        let bare = ResponseHead(statusCode: 200, url: "http://h/a/b.html?c")
        #expect(bare.suggestedFilename == "b.html")
        #expect(ResponseHead(statusCode: 200).suggestedFilename == "download")
        #expect(bare.mimeType == nil && bare.expectedContentLength == -1 && bare.allHeaderFields.isEmpty)
        #expect(ResponseHead(statusCode: 200, headers: ["Content-Length": "many"]).expectedContentLength == -1)
    }

    @Test("Lines of one name are joined")
    func lines() {
        var two = head
        two.headers.append(name: "X-A", value: "3")
        #expect(two.allHeaderFields["X-A"] == "1, 3")
        #expect(two.value(forHTTPHeaderField: "x-a") == "1, 3")
    }
}
