import SessionCore

/// What the library knows of this machine, in values that need no library to be read.
package struct LibraryFacts: Sendable, Equatable {
    /// Libraries with their versions.
    package var versions: [String]
    /// What they were built without.
    package var missing: [String]
    /// The file of the certificate authorities that are believed, and their folder.
    package var authorityFile: String?
    package var authorityFolder: String?
    /// The way out that the system has; nil without one.
    package var route: String?

    package static func current() -> LibraryFacts {
        let libraries = EngineLibraries.current()
        let link = SystemReachabilitySource().currentLink()
        return LibraryFacts(
            versions: libraries.versions + [StoreLibrary.version], missing: libraries.missing,
            authorityFile: libraries.authorityFile, authorityFolder: libraries.authorityFolder,
            route: link == .none ? nil : "\(link)")
    }

    /// What is wrong with the proxies that an environment names, in words; nil when nothing is, or there are none.
    package static func proxyProblem(environment: [String: String]) -> String? {
        do throws(SessionError) {
            _ = try ProxySettings(environment: environment)
            return nil
        } catch {
            return error.message
        }
    }
}
