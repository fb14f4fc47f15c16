import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Reads the configuration file of a command line of aria2c.
enum AriaFile {
    /// The text of the file that the command line names, or of the one that aria2c reads without a name, where it is
    /// there.
    static func text(of path: String?, environment: [String: String]) throws(UsageError) -> String {
        if let path { return try text(of: path) }
        let home = UserFolder.home(environment: environment)
        var folders = [home + "/.aria2"]
        if let named = environment["XDG_CONFIG_HOME"], named.hasPrefix("/") {
            folders.append(named + "/aria2")
        } else {
            folders.append(home + "/.config/aria2")
        }
        let files = folders.map { $0 + "/aria2.conf" }
        guard let path = files.first(where: { access($0, F_OK) == 0 }) else { return "" }
        return try text(of: path)
    }

    /// The file's text; one that other users can write is refused, because options run commands.
    static func text(of path: String) throws(UsageError) -> String {
        guard let contents = try ConfigurationFile.contents(of: path) else {
            throw UsageError(argument: "--conf-path", RPCUsage.missingFile(path)).ofFile
        }
        if let writer = contents.foreignWriter {
            throw UsageError(argument: "--conf-path", RPCUsage.foreignFile(path, writer.string))
        }
        guard let text = String(validating: contents.bytes, as: UTF8.self) else {
            throw UsageError(argument: path, ConfigurationUsage.notUTF8)
        }
        return text
    }
}
