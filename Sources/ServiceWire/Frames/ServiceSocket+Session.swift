import Glibc
import SessionSupport
import TransferService

extension ServiceSocket {
    /// The socket of a saved session; nil for a name that no socket can have.
    ///
    /// Sessions of other folders have other sockets; the usual folder keeps a name that a user can guess.
    package static func ofSession(_ session: String, environment: [String: String]) -> ServiceSocket? {
        guard let folder = UserFolder.sessions(environment: environment) else { return nil }
        let mark = folder == usualFolder ? "" : "." + StableHash.digits(of: StableHash.value(folder), count: 8)
        return ServiceSocket(session: session + mark, environment: environment)
    }

    private static var usualFolder: String? {
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return nil }
        return UserFolder.sessions(environment: ["HOME": String(cString: home)])
    }
}
