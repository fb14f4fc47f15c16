import SessionCore

/// The library's facts about this machine, as plain values.
package struct LibraryInfo: Sendable, Equatable {
    package var versions: [String]
    /// The features that the libraries were built without.
    package var missing: [String]
    /// The file and the folder of trusted certificate authorities.
    package var authorityFile: String?
    package var authorityFolder: String?
    /// The system's network link; nil without one.
    package var route: String?

    package static func current() -> LibraryInfo {
        let libraries = EngineLibraries.current()
        let link = SystemReachabilitySource().currentLink()
        return LibraryInfo(
            versions: libraries.versions + [StoreLibrary.version], missing: libraries.missing,
            authorityFile: libraries.authorityFile, authorityFolder: libraries.authorityFolder,
            route: link == .none ? nil : "\(link)")
    }

    /// Whether libcurl was built with NTLM.
    package static let hasNTLM = EngineLibraries.hasNTLM

    /// The hosts in a file of hosts that are reached over https only, and how many of its lines are none.
    package static func secureHosts(in text: String, now: Int64) -> (hosts: Int, unreadable: Int) {
        let hosts = SecureHosts { now }
        let unreadable = hosts.add(file: text)
        return (hosts.count, unreadable)
    }

    /// The problem with the proxies in an environment; nil without one.
    package static func proxyProblem(environment: [String: String]) -> String? {
        do throws(SessionError) {
            _ = try ProxySettings(environment: environment)
            return nil
        } catch {
            return error.message
        }
    }
}
