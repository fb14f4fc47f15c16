import Testing

@testable import netdash

/// What a program knows of its build and of the files beside it.
@Suite("The installation of the program", .timeLimit(.minutes(1)))
struct InstallationTests {
    @Test("A build says its commit and date, or that it knows none")
    func stamp() {
        #expect(
            BuildStamp.text == "unknown commit"
                || BuildStamp.text.contains(/^([0-9a-f]{12}( with changes)?|from a source archive), \d{4}-\d\d-\d\d$/))
    }

    @Test(
        "The terminal descriptions of an installation come after all others",
        arguments: [(nil, ":/own"), ("", ":/own"), ("/a:/b", "/a:/b:/own"), ("/a:", "/a::/own")])
    func terminalTypes(list: String?, expected: String) {
        #expect(OwnTerminalTypes.search(list, then: "/own") == expected)
    }
}
