import AriaRPC
import Foundation
import TransferService

/// Keeps what the GIDs of a session are made of in a file beside it, for its next service.
enum GIDSeedFile {
    /// The suffix of the file's name, which begins with the session's.
    private static let suffix = ".gids"

    /// Returns the kept seed; an unreadable file gets a new one, which lasts where the disk takes it.
    static func seed(ofSession session: String, environment: [String: String]) -> GIDSeed {
        guard let folder = UserFolder.sessions(environment: environment) else { return GIDSeed() }
        let path = "\(folder)/\(session)\(suffix)"
        let kept = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        if let line = kept?.split(whereSeparator: \.isNewline).first, let seed = GIDSeed(String(line)) { return seed }
        let seed = GIDSeed()
        _ = FileReplacement.write(Array("\(seed)\n".utf8), to: path, access: .user)
        return seed
    }
}
