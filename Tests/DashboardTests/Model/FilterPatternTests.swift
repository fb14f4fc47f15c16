import Testing

@testable import Dashboard

@Suite("Regular expressions of filters", .timeLimit(.minutes(1)))
struct FilterPatternTests {
    private func isFound(_ pattern: String, _ text: String) throws -> Bool {
        try FilterPattern(pattern).isFound(in: text.lowercased())
    }

    @Test(
        "What is found",
        arguments: [
            ("abc", "xxabcxx"), ("ABC", "abc"), ("a.c", "abc"), ("a.c", "aéc"), ("^abc$", "abc"), ("^", "abc"),
            ("$", ""),
            ("a*", ""), ("", "abc"), ("ab*c", "ac"), ("ab*c", "abbbc"), ("ab+c", "abc"), ("ab?c", "ac"),
            ("ab?c", "abc"),
            ("a|b", "b"), ("^(ab|cd)+$", "abcdab"), ("(a(b(c)))", "abc"), ("()a", "a"), ("a||b", "x"),
            ("[a-c]x", "bx"), ("[^a-c]x", "dx"), ("[^a-c]x", "éx"), ("[]]", "]"), ("[^]]", "a"), ("[a-]", "-"),
            ("[A-Z]", "q"),
            ("[\\d]", "7"), ("\\d+", "a1"), ("\\w\\W", "a-"), ("\\s", "a b"), ("\\.", "a.b"), ("\\S\\D", "ab"),
            ("\\\\", "a\\b"),
            ("a{2}", "aa"), ("^a{2,}$", "aaaa"), ("^a{1,}$", "aaa"), ("^a{0,}$", ""), ("^a{1,3}$", "aaa"),
            ("^a{0,2}$", ""),
            ("^a{0}b", "b"), ("x{", "x{"), ("x{a}", "x{a}"), ("^(ab){2}$", "abab"), ("^[ab]{2,3}c", "abc"),
            ("größe", "GRÖSSE größe"),
        ])
    func found(pattern: String, text: String) throws {
        #expect(try isFound(pattern, text))
    }

    @Test(
        "What is not",
        arguments: [
            ("abc", "ab"), ("^abc$", "abcd"), ("^bc", "abc"), ("ab$", "abc"), ("a.c", "ac"), ("ab+c", "ac"),
            ("[a-c]x", "dx"),
            ("[^a-c]x", "ax"), ("^(ab|cd)+$", "abc"), ("\\d", "abc"), ("\\.", "ab"), ("^a{2}$", "aaa"),
            ("^a{1,3}$", "aaaa"),
            ("^a{2,}$", "a"), ("^a{1,}$", ""), ("^.$", "ab"), ("^$", "a"), ("^a{0}$", "a"),
        ])
    func notFound(pattern: String, text: String) throws {
        #expect(try !isFound(pattern, text))
    }

    @Test(
        "Patterns that others take for ever for take one look at each byte",
        arguments: ["(a+)+$", "(a|aa)+$", "(a|a?)+b", "(.*)*x", "(a*)*(a*)*c", "([a-z]+)*[0-9]", "(((a+)+)+)+!"])
    func catastrophe(pattern: String) throws {
        let text = String(repeating: "a", count: 200_000) + "-"
        #expect(try !FilterPattern(pattern).isFound(in: text))
    }

    @Test("However it is nested or repeated, a pattern is read in no time or refused")
    func bounds() {
        for pattern in [
            String(repeating: "(", count: 5000), String(repeating: "(a", count: 5000),
            String(repeating: "a", count: 5000),
            "((a{9}){9}){9}", "(((((a{2}){2}){2}){2}){2}){2}", String(repeating: ".", count: 60), "a{999999999999}",
            "(){999999999}", "((){9999}){9999}",
        ] {
            #expect(throws: FilterPattern.Problem.self, "\(pattern.prefix(20))") { _ = try FilterPattern(pattern) }
        }
    }
}
