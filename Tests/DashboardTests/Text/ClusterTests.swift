import Testing

@testable import Dashboard

@Suite("What a cell shows") struct ClusterTests {
    @Test(
        "A cluster gives back the scalars it was made of",
        arguments: ["", " ", "a", "é", "e\u{301}", "日", "😀", "\u{10FFFD}", "a\u{301}\u{302}\u{303}\u{304}"])
    func roundTrip(text: String) {
        let cluster = Cluster(text)
        #expect(Array(cluster.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(cluster.count == text.unicodeScalars.count)
        #expect(cluster.isEmpty == text.isEmpty)
        #expect(cluster[cluster.count] == 0)
    }

    @Test("A mark that does not fit is left out")
    func limit() {
        var cluster = Cluster("a\u{301}\u{302}\u{303}\u{304}")
        let before = cluster
        cluster.append("\u{305}")
        #expect(cluster == before)
    }

    @Test("Clusters are equal when all their scalars are", arguments: ["a", "b", "a\u{301}", "a\u{301}\u{302}", ""])
    func equality(text: String) {
        for other in ["a", "b", "a\u{301}", "a\u{301}\u{302}", ""] {
            #expect((Cluster(text) == Cluster(other)) == (Array(text.unicodeScalars) == Array(other.unicodeScalars)))
        }
    }
}
