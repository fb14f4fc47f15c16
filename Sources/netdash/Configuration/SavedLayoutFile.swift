import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Stores a session's view settings beside it: the sort order, the pane, the columns.
///
/// Each setting has two lines in the configuration file's form: the chosen value, and the configuration's value at that
/// time. It is a convenience: an unreadable file counts as none.
enum SavedLayoutFile {
    /// The suffix of a name for the configuration's value.
    private static let mark = ".instead-of"
    /// The suffix of the file's name, which begins with the session's.
    private static let suffix = ".layout"

    /// Returns the path of the file; nil where the environment names no home.
    static func path(session: String, environment: [String: String]) -> String? {
        UserFolder.sessions(environment: environment).map { "\($0)/\(session)\(suffix)" }
    }

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

    /// Writes the settings in one step, or removes the file without any; returns false on failure.
    static func write(_ layout: [SavedLayout], to path: String) -> Bool {
        guard !layout.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
        guard layout != read(path) else { return true }
        let text = layout.map { "\($0.name) = \($0.value)\n\($0.name)\(mark) = \($0.configured)\n" }.joined()
        // A program that is left at once may be faster than the opening of its session, which makes the folder.
        guard (try? ConfigurationFile.makeFolder(of: path)) != nil else { return false }
        // Leaving the program does not wait for a disk: a file that a power cut leaves empty counts as none.
        return FileReplacement.write(Array(text.utf8), to: path, access: .user, isLasting: false) == nil
    }
}

extension DashboardLayout {
    /// Applies stored settings, except where the configuration has changed since.
    mutating func apply(_ kept: [SavedLayout], configured: [SettingLine]) {
        for look in kept where configured.contains(SettingLine(name: look.name, value: look.configured)) {
            guard let setting = DashboardSetting(rawValue: look.name) else { continue }
            var changed = self
            // Another version's unknown word is ignored; the configuration applies then.
            do throws(UsageError) { try changed.set(setting, to: look.value, label: look.name) } catch { continue }
            self = changed
        }
    }
}
