import Foundation
import Glibc
import ServiceWire
import SessionSupport
import TransferService

/// The socket of a saved session, for its owner and for its windows and scripts.
enum SessionSocket {
    /// Returns the socket of a session; nil for a name that no socket can have.
    static func of(_ session: String) -> ServiceSocket? {
        ServiceSocket.ofSession(session, environment: ProcessInfo.processInfo.environment)
    }

    /// The socket for windows and commands: the forwarded one, else the session's.
    static func ofClient(_ session: String) -> ServiceSocket? {
        guard let path = forwarded else { return of(session) }
        return ServiceSocket(path: path)
    }

    /// The path of another host's service as a tunnel presents it here; nil without one.
    ///
    /// No service is started for it: it would run on the wrong host.
    static var forwarded: String? {
        ProcessInfo.processInfo.environment["NETDASH_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The service's answer about itself.
    static func welcome(session: String?, directory: String?, notices: [String] = []) -> Welcome {
        Welcome(
            program: Product.version, process: getpid(), session: session,
            directory: CurrentFolder.absolute(directory ?? "."), notices: notices)
    }
}
