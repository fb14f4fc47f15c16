import Foundation
import ServiceWire
import SessionSupport
import TransferService

/// What is said of a service whose process hangs: only a signal to that process helps.
extension LinkFailure {
    /// The sentence of a failure, with the process of a service that says nothing.
    func advised(_ session: String) -> String {
        guard isSilent, SessionSocket.forwarded == nil, let process = SessionRefusal.holder(of: session)?.process else {
            return sentence
        }
        return WireErrors.hangs(process)
    }
}

extension ServiceStarter {
    /// Why no service was started: another process has the session and hangs, refuses windows or cannot be reached, or
    /// the next try says why; nil where that process takes windows.
    func failure(at socket: ServiceSocket) -> SafeText? {
        guard let holder = SessionRefusal.holder(of: session), let process = holder.process else {
            return ControlLines.notStarted(SafeText(untrusted: session))
        }
        return socket.greeting(program: Product.version, patience: Self.greetingPatience)
            .problem(of: process, unreached: holder.message).map { SafeText(untrusted: $0) }
    }
}

extension ServiceSocket.Greeting {
    /// Why the process that has the session does not help; nil where it takes windows.
    ///
    /// The kernel accepts connections for a process that hangs: only its words show that it works.
    func problem(of process: Int32, unreached message: String) -> String? {
        switch self {
        case .welcome: nil
        case .failure(let failure): failure.isSilent ? WireErrors.hangs(process) : failure.sentence
        case .none: message
        }
    }
}

extension SessionRefusal {
    /// Why a session cannot be opened that another process has; nil where none has it.
    fileprivate static func holder(of session: String) -> SessionRefusal? {
        SessionRefusal(ofHolderOf: session, environment: ProcessInfo.processInfo.environment)
    }
}
