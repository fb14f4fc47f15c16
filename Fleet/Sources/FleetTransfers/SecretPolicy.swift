package import FleetQueue
internal import Foundation

/// The references to secrets that a worker may follow, and for which hosts.
///
/// A queue's writer chooses URL and reference, so without such a list it could have any file of a worker sent anywhere.
package struct SecretPolicy: Sendable {
    private struct Rule: Sendable {
        let kind: Substring
        let name: Substring
        /// The only host that gets it; nil for any.
        let host: Substring?
    }

    private var rules: [Rule] = []

    /// Reads `env:NAME`, `file:PATH`, `file:FOLDER/` or `cmd:/PROGRAM WORDS`, each with `=HOST` behind it if one host
    /// alone gets it, with commas between them.
    package init(_ text: String) throws(FleetError) {
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = sides[0].split(separator: ":", maxSplits: 1)
            guard words.count == 2, ["env", "file", "cmd"].contains(words[0]) else {
                throw FleetError(.usage, TransferFaults.badSecrets)
            }
            // A script whose variable is empty has named no host, and must not name all of them.
            guard sides.count == 1 || !sides[1].isEmpty else { throw FleetError(.usage, TransferFaults.badSecrets) }
            // Without a folder it would be the first program of this name in PATH.
            guard words[0] != "cmd" || words[1].hasPrefix("/") else {
                throw FleetError(.usage, TransferFaults.badSecrets)
            }
            rules.append(Rule(kind: words[0], name: words[1], host: sides.count == 2 ? sides[1] : nil))
        }
    }

    /// Whether a command is one of the worker's list: its whole text, so that the queue chooses no word of it.
    package func allows(command: String, host: String) -> Bool {
        rules.contains { $0.kind == "cmd" && $0.name == command && allows($0, host) }
    }

    /// Reads the secret of a reference for a host; the error is a cause of a dead letter.
    ///
    /// `outputs` has what commands have printed.
    package func read(
        _ reference: SecretReference, host: String, environment: [String: String],
        outputs: [String: Result<String, TransferFault>] = [:]
    ) throws(TransferFault) -> String {
        switch reference {
        case .environment(let name):
            guard rules.contains(where: { $0.kind == "env" && $0.name == name && allows($0, host) }) else {
                throw refusal(of: "env:" + name, host)
            }
            guard let value = environment[name] else { throw TransferFault(TransferFaults.noVariable(name)) }
            return value
        case .file(let path):
            guard rules.contains(where: { $0.kind == "file" && covers($0.name, path) && allows($0, host) }) else {
                throw refusal(of: "file:" + path, host)
            }
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw TransferFault(TransferFaults.unreadable(path))
            }
            return String(text.prefix { !$0.isNewline })
        case .command(let text):
            guard allows(command: text, host: host) else {
                throw refusal(of: "cmd:" + text, host)
            }
            guard let output = outputs[text] else {
                throw TransferFault(TransferFaults.command(text, TransferFaults.commandNotRun), isPassing: true)
            }
            return try output.get()
        }
    }

    private func refusal(of reference: String, _ host: String) -> TransferFault {
        TransferFault(TransferFaults.notAllowed(reference, host: host, isFirst: rules.isEmpty))
    }

    private func allows(_ rule: Rule, _ host: String) -> Bool { rule.host.map { $0 == host } ?? true }

    private func covers(_ name: Substring, _ path: String) -> Bool {
        guard name.hasSuffix("/") else { return name == path }
        return path.hasPrefix(name) && !path.split(separator: "/").contains("..")
    }
}
