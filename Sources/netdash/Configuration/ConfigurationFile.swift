import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Reads and writes the file of the user's settings for every run.
enum ConfigurationFile {
    /// The largest size in bytes; a larger file is a wrong one.
    private static let sizeLimit = 1 << 20

    /// Returns the path of the file; nil when the environment names no home.
    static func path(environment: [String: String]) -> String? {
        UserFolder.path(named: "XDG_CONFIG_HOME", orInHome: ".config", environment: environment).map { $0 + "/config" }
    }

    /// The configuration in the file; an empty one without a file.
    static func read(environment: [String: String]) throws(UsageError) -> Configuration {
        guard let path = path(environment: environment), let contents = try contents(of: path) else {
            return Configuration()
        }
        var configuration = try ConfigurationParser.configuration(
            in: contents.bytes, name: path, home: UserFolder.home(environment: environment))
        if let writer = contents.foreignWriter { configuration.dropCommands(of: path, because: writer) }
        return configuration
    }

    /// The file's bytes, and who else can write it.
    struct Contents {
        var bytes: [UInt8]
        /// A user other than this one and root who can write the file, in words; nil for none.
        var foreignWriter: SafeText?
    }

    /// Who else can write a file: another owner counts whatever the mode is, because owners can change it.
    private static func foreignWriter(_ status: stat) -> SafeText? {
        if status.st_uid != geteuid(), status.st_uid != 0 { return ConfigurationUsage.otherOwner }
        if status.st_mode & S_IWOTH != 0 { return ConfigurationUsage.writableByEverybody }
        if status.st_mode & S_IWGRP != 0, !isOwnGroup(status.st_gid) { return ConfigurationUsage.writableByGroup }
        return nil
    }

    /// Whether only this user is in a group: many systems create one per user, which can write the user's files.
    ///
    /// Root's does not count: on no system it can write root's files. Other users may have the group as their primary
    /// one, which its list of members does not contain.
    private static func isOwnGroup(_ group: gid_t) -> Bool {
        guard geteuid() != 0, group == getgid(), !isFirstGroupOfOthers(group), let user = getpwuid(geteuid()),
            let userName = user.pointee.pw_name
        else {
            return false
        }
        let name = String(cString: userName)
        guard let entry = getgrgid(group), let groupName = entry.pointee.gr_name, let members = entry.pointee.gr_mem,
            String(cString: groupName) == name
        else { return false }
        var index = 0
        while let member = members[index] {
            if String(cString: member) != name { return false }
            index += 1
        }
        return true
    }

    private static func isFirstGroupOfOthers(_ group: gid_t) -> Bool {
        setpwent()
        defer { endpwent() }
        while let user = getpwent() {
            if user.pointee.pw_gid == group, user.pointee.pw_uid != geteuid() { return true }
        }
        return false
    }

    /// Reads the file; nil when it does not exist.
    static func contents(of path: String) throws(UsageError) -> Contents? {
        // O_NONBLOCK, because a pipe of that name would block the program until another process writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw UsageError(argument: path, ConfigurationUsage.unreadable(SystemWords.text(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw UsageError(argument: path, ConfigurationUsage.notFile)
        }
        var result: [UInt8] = []
        while let bytes = try piece(of: path, descriptor), !bytes.isEmpty {
            result += bytes
            guard result.count <= sizeLimit else {
                throw UsageError(argument: path, ConfigurationUsage.tooLarge)
            }
        }
        return Contents(bytes: result, foreignWriter: foreignWriter(status))
    }

    private static func piece(of path: String, _ descriptor: Int32) throws(UsageError) -> [UInt8]? {
        do throws(Descriptor.ReadError) {
            return try Descriptor.read(descriptor, limit: 64 << 10)
        } catch {
            throw UsageError(argument: path, ConfigurationUsage.unreadable(error.text))
        }
    }
}

/// Writing the file, only on the user's request.
extension ConfigurationFile {
    /// Writes settings into the user's file, and returns its path.
    ///
    /// Everything else in the file stays. The new file replaces the old one in one step once it is on the disk, so that
    /// a crash leaves one or the other; a link to it stays a link. A file that would not parse is not written.
    static func save(_ settings: [SettingLine], environment: [String: String]) throws(UsageError) -> String {
        guard let path = path(environment: environment) else {
            throw UsageError(ConfigurationUsage.noFolder)
        }
        let old = try contents(of: path)?.bytes
        guard let text = String(validating: old ?? [], as: UTF8.self) else {
            throw UsageError(argument: path, ConfigurationUsage.notUTF8)
        }
        let new = Array(ConfigurationEditor.text(text, setting: settings).utf8)
        _ = try ConfigurationParser.configuration(in: new, name: path, home: UserFolder.home(environment: environment))
        if old == nil { try makeFolder(of: path) }
        // A new file is readable only by the user: its headers may contain secrets.
        if new != old, let number = FileReplacement.write(new, to: path, access: .kept) {
            throw UsageError(argument: path, ConfigurationUsage.unwritable(SystemWords.text(number)))
        }
        return path
    }

    /// Creates the file's folder and its parents with mode 0700, as the XDG specification requires.
    static func makeFolder(of path: String) throws(UsageError) {
        var folder = ""
        for component in path.split(separator: "/").dropLast() {
            folder += "/" + component
            guard mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            throw UsageError(argument: folder, ConfigurationUsage.noNewFolder(SystemWords.text(errno)))
        }
    }
}

/// Edits settings in the text of a configuration file.
enum ConfigurationEditor {
    /// The text with these settings: in their existing lines, else in new lines at the end.
    ///
    /// Comments, blanks, the order of lines and the line ends stay.
    static func text(_ text: String, setting settings: [SettingLine]) -> String {
        // The lines of a section are of hosts or of a profile.
        guard
            let section = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first(where: {
                $0.drop { $0 == " " || $0 == "\t" }.hasPrefix("[")
            })
        else { return editedText(text, setting: settings) }
        let rest = text[section.startIndex...]
        let head = String(text[..<section.startIndex])
        return head.isEmpty
            ? editedText("", setting: settings) + "\n" + rest : editedText(head, setting: settings) + rest
    }

    private static func editedText(_ text: String, setting settings: [SettingLine]) -> String {
        var result = ""
        var missing = settings
        var usualEnding: Substring = "\n"
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let isLast = index + 1 == lines.count
            let ending = text[line.endIndex..<(isLast ? text.endIndex : lines[index + 1].startIndex)]
            if index == 0, !isLast { usualEnding = ending }
            result += edited(line, setting: settings, missing: &missing) + ending
        }
        guard !missing.isEmpty else { return result }
        if let last = lines.last, !last.isEmpty { result += usualEnding }
        for setting in missing { result += "\(setting.name) = \(setting.value)\(usualEnding)" }
        return result
    }

    /// A line with the new value if it is one of the settings.
    private static func edited(
        _ line: Substring, setting settings: [SettingLine], missing: inout [SettingLine]
    ) -> String {
        guard let sign = line.firstIndex(of: "=") else { return String(line) }
        // Some editors put a byte order mark at the start.
        let name = ByteText.trimmed(line[..<sign].drop { $0 == "\u{FEFF}" })
        guard let setting = settings.first(where: { $0.name == name }) else { return String(line) }
        missing.removeAll { $0.name == name }
        let blanksAndValue = line[line.index(after: sign)...]
        let rest = blanksAndValue.drop { $0 == " " || $0 == "\t" }
        let old = ConfigurationParser.withoutComment(ByteText.trimmed(rest))
        return line[..<rest.startIndex] + setting.value + rest.dropFirst(old.count)
    }
}
