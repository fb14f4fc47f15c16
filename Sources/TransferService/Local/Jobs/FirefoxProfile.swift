import Foundation
import Glibc
import SessionCore
import SessionSupport

/// A profile of Firefox; its cookies are read from a copy, because Firefox locks the database while it runs.
struct FirefoxProfile {
    private static let database = "cookies.sqlite"
    /// The folders of profiles below the home folder: of the system's package, of snap and of Flatpak.
    private static let roots = [
        ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/config/mozilla/firefox",
    ]
    /// The folder of profiles below the folder of settings, which newer versions use.
    private static let rootInSettings = "mozilla/firefox"

    private let folder: String

    /// Finds a profile: by its path, by its name, or the one whose cookies changed last; nil without one.
    init?(_ profile: String?, environment: [String: String]) {
        if let profile, profile.contains("/") {
            guard Self.changedAt(profile) != nil else { return nil }
            folder = profile
            return
        }
        var found: [(folder: String, time: Int)] = []
        for root in Self.roots(environment) {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
                if let profile, name != profile, !name.hasSuffix("." + profile) { continue }
                if let time = Self.changedAt(root + "/" + name) { found.append((root + "/" + name, time)) }
            }
        }
        guard let latest = found.max(by: { $0.time < $1.time }) else { return nil }
        folder = latest.folder
    }

    private static func roots(_ environment: [String: String]) -> [String] {
        let home = UserFolder.home(environment: environment)
        // A relative path is invalid there.
        let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return roots.map { home + "/" + $0 } + [(named ?? home + "/.config") + "/" + rootInSettings]
    }

    /// The second of the last change of a profile's cookies or of their log; nil without both.
    private static func changedAt(_ folder: String) -> Int? {
        var latest: Int?
        for name in [database, database + "-wal"] {
            var facts = stat()
            guard stat(folder + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
            latest = max(latest ?? 0, facts.st_mtim.tv_sec)
        }
        return latest
    }

    /// Its cookies as the text of a cookie file; reads a copy of the database with its log, which is then removed.
    func cookies() throws(SessionError) -> String {
        let path = folder + "/" + Self.database
        // Only this user can enter a folder of `mkdtemp`.
        var template = (NSTemporaryDirectory() + "/netdash-cookies-XXXXXX").utf8CString.map { $0 }
        guard let made = mkdtemp(&template) else {
            throw SessionError(.storage, IdentityUsage.unreadable(path, SystemWords.text(errno)))
        }
        let copy = String(cString: made)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        do {
            for name in [Self.database, Self.database + "-wal"]
            where FileManager.default.fileExists(atPath: folder + "/" + name) {
                try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy + "/" + name)
            }
        } catch {
            throw SessionError(.storage, IdentityUsage.unreadable(path, SystemWords.text(errno)))
        }
        return try FirefoxCookies.file(ofCopy: copy + "/" + Self.database)
    }
}
