// swift-format-ignore-file
// Made of Sources/SessionCore/Policy; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfCookieJar() async throws {
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        configuration.options?.cookies = CookieJar()
        let manager = SessionManager(configuration: configuration)
        _ = configuration
        _ = manager
    }
}
