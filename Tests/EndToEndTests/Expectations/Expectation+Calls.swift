extension Expectation {
    /// Requests of an interface, and what is made of their responses.
    static let calls = [
        Expectation("A body is printed", "netdash request $S/state", says: "busy"),
        Expectation("Status and fields too", "netdash request --include $S/state", says: "HTTP/1.1 200", "busy"),
        Expectation("An assertion that holds", "netdash request --assert 'json:.state==\"busy\"' $S/state"),
        Expectation("An assertion that fails", "netdash request --assert status=201 $S/state", status: 7, says: "200"),
        Expectation("Polling", "netdash request --poll 100ms --until 'json:.state==\"done\"' $S/state", says: "done"),
        Expectation("Pages by Link", "netdash request --paginate $S/page1", says: "[1]", "[2]"),
        Expectation(
            "Downloads from a response", "netdash request --then-download '.files[].url' $S/files && test -s b.bin"),
        Expectation("A pattern makes three", "netdash request \"$S/n[1-3].bin\" | wc -c", says: "3"),
        Expectation("JSON bodies", "netdash request --json-body '{\"a\":1}' $S/echo", says: "application/json"),
        Expectation("Encoded fields", "netdash request --data-urlencode 'a=b c' $S/echo", says: "a=b"),
        Expectation(
            ".http files", "printf '### one\\nGET %s/echo\\nX-A: 1\\n' $S > r.http; netdash request r.http#one",
            says: "X-A"),
        Expectation(
            "Variables of .http files", "printf '@h = %s\\nGET {{h}}/echo\\n' $S > r.http; netdash request r.http",
            says: "/echo"),
        Expectation("Times in JSON", "netdash request --json $S/echo", says: "\"firstByte\""),
        Expectation("An error has its status", "netdash request $S/gone", status: 1, says: "410"),
    ]
}
