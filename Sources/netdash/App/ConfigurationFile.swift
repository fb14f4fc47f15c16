import Dashboard
import Glibc
import Support

/// Where the user's settings for every run stand.
enum ConfigurationFile {
    /// Far more than anybody writes; what is larger is another file by mistake.
    private static let sizeLimit = 1 << 20

    /// The file's path; nil when the environment names no home.
    static func path(environment: [String: String]) -> String? {
        // A relative path has to be ignored, the specification of the variable says.
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/netdash/config" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/netdash/config"
    }

    /// What the file says; nothing when there is none.
    static func read(environment: [String: String]) throws(UsageError) -> Configuration {
        guard let path = path(environment: environment), let bytes = try contents(of: path) else {
            return Configuration()
        }
        return try ConfigurationParser.configuration(in: bytes, name: path, home: environment["HOME"])
    }

    /// The file's bytes; nil when there is no such file.
    static func contents(of path: String) throws(UsageError) -> [UInt8]? {
        // Without waiting: a pipe under that name would otherwise hold the program until somebody writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw UsageError(argument: path, "the settings cannot be read: \(SystemWords.text(errno))")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw UsageError(argument: path, "is not a file; settings stand in a file of lines name = value")
        }
        var result: [UInt8] = []
        while let bytes = try piece(of: path, descriptor), !bytes.isEmpty {
            result += bytes
            guard result.count <= sizeLimit else {
                throw UsageError(argument: path, "is larger than 1 MiB; settings are lines name = value")
            }
        }
        return result
    }

    private static func piece(of path: String, _ descriptor: Int32) throws(UsageError) -> [UInt8]? {
        do throws(Descriptor.ReadError) {
            return try Descriptor.read(descriptor, limit: 64 << 10)
        } catch {
            throw UsageError(argument: path, "the settings cannot be read: \(error.text)")
        }
    }
}
