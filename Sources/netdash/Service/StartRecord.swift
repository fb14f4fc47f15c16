import Foundation
import Glibc
import TransferService

/// The settings of a service, in a file beside its session while it runs: a service that follows a killed one has them
/// too.
struct StartRecord: Sendable, Equatable, Codable {
    /// Spelled for the command line, with absolute paths.
    var arguments: [String]
    /// The options that are left out, because a value has a secret.
    var omitted: [String] = []
    /// Whether a service manager starts the service again.
    var isManaged = false

    /// The suffix of the file's name, which begins with the session's.
    private static let suffix = ".service"

    /// Returns the path of the file; nil where the environment names no home.
    static func path(session: String, environment: [String: String]) -> String? {
        UserFolder.sessions(environment: environment).map { "\($0)/\(session)\(suffix)" }
    }

    /// Reads the settings of a service that was killed; an unreadable file counts as none.
    static func read(_ path: String) -> StartRecord? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(StartRecord.self, from: $0) }
    }

    /// Writes the file for its user alone; returns false on failure, with which the next service has other settings.
    @discardableResult
    func write(to path: String) -> Bool {
        guard let bytes = try? JSONEncoder().encode(self) else { return false }
        return FileReplacement.write(Array(bytes), to: path, access: .user, isLasting: false) == nil
    }

    /// Removes the file when a service ends by itself or is told to.
    static func remove(_ path: String) { _ = unlink(path) }
}
