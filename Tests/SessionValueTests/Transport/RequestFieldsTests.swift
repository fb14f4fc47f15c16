import Testing

@testable import SessionCore

@Suite("The fields of an attempt")
struct RequestFieldsTests {
    private let session: HeaderFields = ["User-Agent": "s", "X-Account": "s", "Accept": "s"]

    private func merged(
        own: HeaderFields = HeaderFields(), added: HeaderFields = HeaderFields(), authorization: String? = nil,
        hasLeftOrigin: Bool = false
    ) -> [String] {
        RequestFields(own: own, added: added, authorization: authorization, hasLeftOrigin: hasLeftOrigin)
            .merged(session: session).map { $0.name + "=" + $0.value }
    }

    @Test("The request's own come first, and one of the session goes only where it is missing")
    func order() {
        #expect(merged(own: ["accept": "o", "X-Own": "o"]) == ["accept=o", "X-Own=o", "User-Agent=s", "X-Account=s"])
    }

    @Test("Those of the attempt and the authorization replace all of their name")
    func replacement() {
        let fields = merged(own: ["Range": "o", "Authorization": "o"], added: ["range": "a"], authorization: "a")
        #expect(fields == ["User-Agent=s", "X-Account=s", "Accept=s", "range=a", "Authorization=a"])
    }

    @Test("A field that is withheld is not added, but the request's own is sent")
    func withheld() {
        let parts = RequestFields(
            own: ["X-Account": "o"], added: HeaderFields(), hasLeftOrigin: false, withheld: ["user-agent", "x-account"])
        #expect(parts.merged(session: session).map { $0.name + "=" + $0.value } == ["X-Account=o", "Accept=s"])
    }

    @Test("Another origin gets nothing of the session's that says something about the sender")
    func otherOrigin() {
        #expect(merged(hasLeftOrigin: true) == ["User-Agent=s", "Accept=s"])
    }
}
