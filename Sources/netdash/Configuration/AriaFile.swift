import Dashboard
import SessionSupport

/// Reads the configuration file that a command line of aria2c names.
enum AriaFile {
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
