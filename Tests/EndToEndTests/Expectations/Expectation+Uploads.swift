extension Expectation {
    /// Files that go to a server.
    static let uploads = [
        Expectation("One file", "echo 1 > a.txt; netdash upload a.txt $S/put/a.txt", says: "a.txt"),
        Expectation("Into a folder", "echo 1 > a.txt; netdash upload a.txt $S/put/", says: "a.txt"),
        Expectation(
            "Several files", "echo 1 > a.txt; echo 2 > b.txt; netdash upload a.txt b.txt $S/put/", says: "2 completed"),
        Expectation("A folder", "mkdir -p d/sub; echo 1 > d/a.txt; echo 2 > d/sub/c.txt; netdash upload d/ $S/put/"),
        Expectation("From a pipe", "echo 1 | netdash upload - $S/put/a.txt", says: "put/a.txt"),
        Expectation("A pipe without a name", "echo 1 | netdash upload - $S/put/", says: "put"),
        Expectation("Another method", "echo 1 > a.txt; netdash upload -X POST a.txt $S/echo", says: "a.txt"),
        Expectation(
            "A form with a file", "echo 1 > a.txt; netdash request -F f=@a.txt $S/echo", says: "multipart/form-data"),
        Expectation("A missing file", "netdash upload none.txt $S/put/a.txt", status: 2, says: "none.txt"),
        Expectation("What would be sent", "echo 1 > a.txt; netdash upload --dry-run a.txt $S/put/", says: "a.txt"),
    ]
}
