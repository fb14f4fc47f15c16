import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Names of rows before a server has answered")
struct RowNameTests {
    private func snapshot(_ job: Job) -> RowSnapshot {
        TransferRow(id: 1, job: job).snapshot(
            retryLimit: 5, directory: "/files", JobRoutes(run: nil))
    }

    @Test(
        "A download has the name from the first frame on that its file will have",
        arguments: [
            ("http://h/a/b.zip?x=1", "b.zip"), ("http://h/caf%C3%A9%20menu.pdf", "café menu.pdf"),
            ("http://h/%E6%97%A5%E6%9C%AC.txt", "日本.txt"), ("http://h/a%2Fb.txt", "b.txt"),
            ("http://h/a%252fb", "a%2fb"), ("http://h/100%.txt", "100%.txt"), ("http://h/%zz.txt", "%zz.txt"),
            ("http://h/%ff%fe.txt", "%FF%FE.txt"), ("http://h/%1B%5B31mred.iso", "_[31mred.iso"),
            ("http://h/a%0Ab.txt", "a_b.txt"), ("http://h/gpj%E2%80%AEexe.txt", "gpjexe.txt"),
        ])
    func downloads(url: String, name: String) {
        let row = snapshot(Job(kind: .download, url: url))
        #expect(row.name.string == name)
        #expect(row.path?.string == "/files/" + name)
    }

    @Test(
        "A URL that offers no name has its host's in the list, and is saved under the name that the library has then",
        arguments: [
            ("http://h.example", "h.example"), ("http://h.example:81/", "h.example:81"),
            ("http://h.example/%00", "h.example"), ("http://h.example/..", "h.example"),
            ("http://h.example/caf%C3%A9/", "café"),
        ])
    func withoutName(url: String, name: String) {
        let row = snapshot(Job(kind: .download, url: url))
        #expect(row.name.string == name)
        #expect(row.path == "/files/download")
    }

    @Test(
        "Requests and uploads show their paths decoded, but for what would then read as another path",
        arguments: [
            ("http://h/caf%C3%A9/men%C3%BC?q=%E6%97%A5", "/café/menü?q=日"), ("http://h/a%20b", "/a b"),
            ("http://h/a%2Fb%3Fc%23d%25e%26f%3Dg%2Bh%3Bi", "/a%2Fb%3Fc%23d%25e%26f%3Dg%2Bh%3Bi"),
            ("http://h/%FFx%C3%A9", "/%FFxé"), ("http://h/%1B%5B31m%0d%7F%C2%9B", "/%1B[31m%0d%7F%C2%9B"),
            ("http://h/%E2%80%AE%E2%80%8B", "/%E2%80%AE%E2%80%8B"), ("http://h/%", "/%"), ("http://h/%C3", "/%C3"),
            ("http://h", "/"),
        ])
    func paths(url: String, path: String) {
        #expect(snapshot(Job(kind: .data, url: url)).name.string == "GET " + path)
        #expect(
            snapshot(Job(kind: .upload, url: url, body: .file(path: "/x/b.tar"))).name.string == "b.tar → " + path)
    }

    @Test("A secret in a query stays hidden, however it is written")
    func secrets() {
        let row = snapshot(Job(kind: .data, url: "http://h/p?%74oken=caf%C3%A9%26x&q=%C3%A9"))
        #expect(row.name == "GET /p?%74oken=***&q=é" || row.name == "GET /p?token=***&q=é")
    }
}
