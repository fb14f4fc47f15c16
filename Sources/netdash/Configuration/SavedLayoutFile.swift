import Dashboard
import Glibc
import SessionSupport
import TransferService

/// The file beside a saved session that keeps its looks: the order, the pane, the columns.
///
/// Each look has two lines of the configuration file's form: what was chosen, and what the configuration said then. It is
/// a convenience: a file that cannot be read or understood counts as none.
enum SavedLayoutFile {
    /// The end of a name that marks what the configuration said.
    private static let mark = ".instead-of"
    /// The end of the file's name, which begins with the session's.
    private static let suffix = ".layout"

    /// The file's path; nil where the environment names no home.
    static func path(session: String, environment: [String: String]) -> String? {
        UserFolder.sessions(environment: environment).map { "\($0)/\(session)\(suffix)" }
    }

    /// The looks that a file keeps.
    static func read(_ path: String) -> [SavedLayout] {
        guard let bytes = try? ConfigurationFile.contents(of: path)?.bytes,
            let text = String(validating: bytes, as: UTF8.self)
        else { return [] }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let sign = line.firstRange(of: " = ") else { continue }
            values[String(line[..<sign.lowerBound])] = String(line[sign.upperBound...])
        }
        return SavedLayout.names.compactMap { name in
            guard let value = values[name], let configured = values[name + mark] else { return nil }
            return SavedLayout(name: name, value: value, configured: configured)
        }
    }

    /// Puts looks into a file, in one step, or removes it where there are none; false when that cannot be done.
    static func write(_ layout: [SavedLayout], to path: String) -> Bool {
        guard !layout.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
        guard layout != read(path) else { return true }
        let text = layout.map { "\($0.name) = \($0.value)\n\($0.name)\(mark) = \($0.configured)\n" }.joined()
        // Nobody waits for a disk to leave: what a power cut leaves empty counts as nothing kept.
        return FileReplacement.write(Array(text.utf8), to: path, access: .user, isLasting: false) == nil
    }
}

extension DashboardLayout {
    /// Applies looks that were kept, but for those of which the configuration says something else by now.
    mutating func apply(_ kept: [SavedLayout], configured: [SettingLine]) {
        for look in kept where configured.contains(SettingLine(name: look.name, value: look.configured)) {
            guard let setting = DashboardSetting(rawValue: look.name) else { continue }
            var changed = self
            // A word that another version has written is none of this one's; the configuration holds then.
            do throws(UsageError) { try changed.set(setting, to: look.value, label: look.name) } catch { continue }
            self = changed
        }
    }
}
