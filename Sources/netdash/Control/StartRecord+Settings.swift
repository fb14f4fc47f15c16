import Foundation
import SessionSupport
import TransferService

extension StartRecord {
    /// The record of a service with the settings of its command line.
    init(_ settings: Settings, environment: [String: String]) {
        self.init(arguments: [], isManaged: ServiceManager.isPresent(environment: environment))
        for argument in settings.serviceArguments + settings.requestArguments { add(argument) }
        if settings.rpc.hasPlainSecret {
            // Without its token the interface would be open to every program of this machine.
            arguments.removeAll { $0 == "--rpc" || $0.hasPrefix("--rpc=") || $0.hasPrefix("--rpc-") }
            omitted.append("--rpc")
        }
        if settings.directory == nil { arguments.append("--dir=" + CurrentFolder.absolute(".")) }
        if let seconds = settings.idleExit { arguments.append("--idle-exit=\(seconds)") }
    }

    private mutating func add(_ argument: String) {
        let name = String(argument.dropFirst(2).prefix { $0 != "=" })
        let value = String(argument.dropFirst(name.count + 3))
        guard argument.contains("="), let option = CommandLineOption.named(name) else {
            return arguments.append(argument)
        }
        if option == .header, Redaction.hidesField(String(value.prefix { $0 != ":" })) {
            omitted.append(option.spelling)
        } else if option.isHook, Self.mayHaveSecret(value) {
            omitted.append(option.spelling)
        } else if let job = option.job {
            let given = JobOption.Value(job, value)
            guard given.storable == given else { return omitted.append(option.spelling) }
            arguments.append("\(option.spelling)=\(given.withPath { SavedJob.absolute($0) }.text)")
        } else if option.isPath {
            arguments.append("\(option.spelling)=\(SavedJob.absolute(value))")
        } else if let mark = Self.pathMarks.first(where: { value.hasPrefix($0) }) {
            let path = String(value.dropFirst(mark.count))
            arguments.append("\(option.spelling)=\(mark)\(SavedJob.absolute(path))")
        } else {
            arguments.append(argument)
        }
    }

    /// What a path follows in the values of some options: a secret's file, and a socket.
    private static let pathMarks = ["@file:", "unix:"]

    /// Whether a command of the user may have a secret, by its URLs and by the names of its words.
    static func mayHaveSecret(_ command: String) -> Bool {
        let words = command.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        return command.split(whereSeparator: \.isWhitespace).contains { Redaction.url(String($0)) != $0 }
            || words.contains { word in
                let name = String(word.drop { $0 == "-" })
                return ["-u", "--user"].contains(word) || Redaction.hidesField(name) || Redaction.hidesParameter(name)
            }
    }
}
