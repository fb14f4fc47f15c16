/// Messages of errors, as aria2 words them: clients compare these texts.
package enum AriaErrors {
    package static let unauthorised = "Unauthorized"
    static let parse = "Parse error."
    static let invalidRequest = "Invalid Request."
    static let invalidParameters = "Invalid params."
    static func noMethod(_ name: String) -> String { "No such method: \(name)" }
    static func notFound(_ gid: String) -> String { "GID \(gid) is not found" }
    static func invalidGID(_ text: String) -> String { "Invalid GID \(text)" }
    static func notUnique(_ text: String) -> String { "GID \(text) is not unique" }
    static func cannotPause(_ gid: String) -> String { "GID#\(gid) cannot be paused now" }
    static func cannotUnpause(_ gid: String) -> String { "GID#\(gid) cannot be unpaused now" }
    static func notActive(_ gid: String) -> String { "Active Download not found for GID#\(gid)" }
    static func noActiveDownload(_ gid: String) -> String { "No active download for GID#\(gid)" }
    static func noPeers(_ gid: String) -> String { "No peer data is available for GID#\(gid)" }
    static func noURIs(_ gid: String) -> String { "No URI data is available for GID#\(gid)" }
    static func cannotChange(_ gid: String) -> String { "Cannot change option for GID#\(gid)" }
    static func cannotRemoveResult(_ gid: String) -> String { "Could not remove download result of GID#\(gid)" }
    static func notWaiting(_ gid: String) -> String { "GID#\(gid) not found in the waiting queue." }
    static func cannotRemoveURIs(_ gid: String) -> String { "Cannot remove URIs from GID#\(gid)" }
    static func missingParameter(_ index: Int) -> String { "The parameter at \(index) is required but missing." }
    static func wrongType(_ index: Int) -> String { "The parameter at \(index) has wrong type." }
    static func tooSmall(_ index: Int, least: Int64) -> String {
        "The integer parameter at \(index) has invalid value: the value must be greater than or equal to \(least)."
    }
    static let noURI = "URI is not provided."
    static let noDownload = "No URI to download."
    static let negativePosition = "Position must be greater than or equal to 0."
    static let illegalArgument = "Illegal argument."
    static let fileIndex = "fileIndex is out of range"
    static func option(_ name: String) -> String {
        "We encountered a problem while processing the option '--\(name)'."
    }
    static let recursive = "Recursive system.multicall forbidden."
    static let expectedStruct = "system.multicall expected struct."
    static let missingMethodName = "Missing methodName."
    static let noSessionFile = "Filename is not given."
    static func notSaved(_ path: String) -> String { "Failed to serialize session to '\(path)'." }
    static let noTorrents = "BitTorrent is not supported."
    static let noMetalink = "Could not parse Metalink XML document."
    static let noBase64 = "The parameter at 0 is not Base64."
    // These have no counterpart in aria2.
    static func tooManyCalls(_ limit: Int) -> String { "A batch has at most \(limit) calls." }
    static let answerTooLarge = "The answer is too large."
    static func alreadyInList(_ gid: String) -> String { "The same download is in the list as GID#\(gid)" }
    static let lastURI = "A download needs one URI at least."
    package static let tooLarge = "The request is too large."
    package static let wrongHost = "This Host is not allowed; use 127.0.0.1 or localhost."
    package static let wrongOrigin = "This Origin is not allowed; see --rpc-allow-origin."
    static func unknownKey(_ name: String, near: String?, of keys: [String]) -> String {
        let hint = near.map { "did you mean \($0)?" } ?? "keys: \(keys.joined(separator: ", "))"
        return "The task at 0 has an unknown key \(name); \(hint)"
    }
    static func number(from least: Int64, to most: Int64) -> String { "a number from \(least) to \(most)" }
    static func oneOf(_ words: [String]) -> String { "one of \(words.joined(separator: ", "))" }
    static let notATask = "The parameter at 0 is not a task."
    static func notText(_ name: String) -> String { "The task at 0 has a wrong value: \(name) is not a string." }
    static func notTexts(_ name: String) -> String {
        "The task at 0 has a wrong value: \(name) is not a list of strings."
    }
    static let twoBodies = "The task at 0 has two bodies: body and bodyFile."
}
