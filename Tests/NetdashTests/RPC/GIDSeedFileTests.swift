import AriaRPC
import Foundation
import Testing

@testable import netdash

/// What the GIDs of a saved session are made of.
@Suite("The kept seed of a session's GIDs", .timeLimit(.minutes(1)))
struct GIDSeedFileTests {
    @Test("Services of a session have one seed, and an unreadable one is replaced", arguments: [nil, "nonsense", ""])
    func keeps(text: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["XDG_STATE_HOME": folder]
        try FileManager.default.createDirectory(atPath: folder + "/netdash", withIntermediateDirectories: true)
        let path = folder + "/netdash/default.gids"
        if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        let seed = GIDSeedFile.seed(ofSession: "default", environment: environment)
        #expect(GIDSeedFile.seed(ofSession: "default", environment: environment) == seed)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("\(seed)\n".utf8))
        #expect(GIDSeedFile.seed(ofSession: "other", environment: environment) != seed)
    }

    @Test("Without a place for it a seed lasts for one run")
    func noFolder() {
        #expect(
            GIDSeedFile.seed(ofSession: "a", environment: [:]) != GIDSeedFile.seed(ofSession: "a", environment: [:]))
    }
}
