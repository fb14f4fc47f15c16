import Testing

@testable import SessionCore

@Suite("Values behind one reference") struct SharedValueTests {
    @Test("A changed copy of an error leaves the others as they are")
    func errorsAreValues() {
        let original = SessionError(
            .timedOut, "Too late", failingURL: "http://h/", statusCode: 1, curlCode: 2, errno: 3)
        var copy = original
        #expect(copy == original)
        copy.code = .stalled
        copy.message = "Too slow"
        copy.failingURL = "http://other/"
        copy.statusCode = 4
        copy.curlCode = 5
        copy.errno = 6
        copy.partPath = "part"
        copy.responseBody = [7]
        copy.peerCertificates = [[8]]
        #expect(copy != original)
        #expect(original.code == .timedOut && original.message == "Too late" && original.failingURL == "http://h/")
        #expect(original.statusCode == 1 && original.curlCode == 2 && original.errno == 3)
        #expect(original.partPath == nil && original.responseBody == nil && original.peerCertificates.isEmpty)
        #expect(copy.code == .stalled && copy.message == "Too slow" && copy.failingURL == "http://other/")
        #expect(copy.statusCode == 4 && copy.curlCode == 5 && copy.errno == 6)
        #expect(copy.partPath == "part" && copy.responseBody == [7] && copy.peerCertificates == [[8]])
        #expect(copy.description == "Too slow")
    }

    @Test("A changed copy of resume data leaves the others as they are")
    func resumeDataIsAValue() {
        let original = ResumeData(url: "http://h/", headers: ["A": "1"], partPath: "part", target: nil)
        var copy = original
        #expect(copy == original)
        copy.url = "http://other/"
        copy.headers = [:]
        copy.partPath = "other"
        copy.target = DownloadTarget(folder: "/folder")
        #expect(copy != original)
        #expect(original.url == "http://h/" && original.headers["A"] == "1")
        #expect(original.partPath == "part" && original.target == nil)
        #expect(copy.url == "http://other/" && copy.headers.isEmpty)
        #expect(copy.partPath == "other" && copy.target == DownloadTarget(folder: "/folder"))
    }
}
