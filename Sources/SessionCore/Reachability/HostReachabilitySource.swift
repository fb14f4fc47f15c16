import CLinux
import Glibc
import SessionSupport

/// The way to one host by its name: the route that a connection to its addresses would take.
///
/// The name is looked up when a watch begins and again whenever the network has changed, on a thread of its own; the host
/// itself is sent nothing. Until the first answer the link is ``NetworkLink/unknown``. A name that does not exist leads
/// nowhere; where nobody could be asked for it, the last addresses count, or else whether there is a way to the internet. A
/// class because its lookups go on while it is asked.
package final class HostReachabilitySource: ReachabilitySource {
    /// What a lookup has found.
    enum Answer: Sendable, Equatable {
        /// The addresses in digits.
        case addresses([String])
        /// There is no such name.
        case unknownName
        /// Nobody could be asked.
        case noAnswer
    }

    private struct State: Sendable {
        var answer: Answer?
        var isLookingUp = false
        /// Whether the network has changed since the lookup began.
        var isOutdated = false
    }

    /// The name.
    package let domain: String
    private let lookUp: @Sendable (String) -> Answer
    private let system = SystemReachabilitySource()
    private let state = Locked(State())

    /// The way to a host, by its name or its address without a port.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for what cannot be a name.
    package convenience init(domain: String) throws(SessionError) {
        try self.init(domain: domain, lookUp: Self.askSystem)
    }

    init(domain: String, lookUp: @escaping @Sendable (String) -> Answer) throws(SessionError) {
        let isName = domain.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        guard !domain.isEmpty, domain.utf8.count <= 253, isName else {
            throw SessionError(.unknownHost, TaskErrors.watchedHost)
        }
        (self.domain, self.lookUp) = (domain, lookUp)
    }

    /// What the best route to the host leaves by, as far as its addresses are known.
    package func currentLink() -> NetworkLink {
        switch state.withLock({ $0.answer }) {
        case nil: .unknown
        case .addresses(let addresses): SystemReachabilitySource.link(toFirstOf: addresses)
        case .unknownName: .none
        case .noAnswer: system.currentLink()
        }
    }

    /// Looks the name up, and again whenever the network has changed.
    package func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)? {
        let watch = system.watch { [weak self] in
            self?.findAddresses(then: mayHaveChanged)
            mayHaveChanged()
        }
        findAddresses(then: mayHaveChanged)
        return watch
    }

    /// One lookup at a time; what changed meanwhile begins another one.
    private func findAddresses(then mayHaveChanged: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.isOutdated = state.isLookingUp
            defer { state.isLookingUp = true }
            return !state.isLookingUp
        }
        guard begins else { return }
        do {
            try SystemThread.detach(name: "session-lookup") { [self] in
                repeat { accept(lookUp(domain)) } while isDueAgain()
                mayHaveChanged()
            }
        } catch {
            // Without a thread nobody can be asked now; the next change of the network tries again.
            state.withLock { ($0.isLookingUp, $0.answer) = (false, $0.answer ?? .noAnswer) }
            mayHaveChanged()
        }
    }

    private func accept(_ answer: Answer) {
        state.withLock { state in
            if case .addresses? = state.answer, answer == .noAnswer { return }
            state.answer = answer
        }
    }

    private func isDueAgain() -> Bool {
        state.withLock { state in
            defer { state.isOutdated = false }
            state.isLookingUp = state.isOutdated
            return state.isOutdated
        }
    }

    /// Asks the system's resolver, which may wait for the network.
    private static func askSystem(_ domain: String) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(domain, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0 else { return result == EAI_NONAME ? .unknownName : .noAnswer }
        let texts = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap(numericText)
        return texts.isEmpty ? .unknownName : .addresses(texts)
    }

    private static func numericText(_ entry: UnsafeMutablePointer<addrinfo>?) -> String? {
        guard let entry = entry?.pointee else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(buffer.count)
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &buffer, length, nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        // Only the route counts, for which the interface behind the percent sign is not asked.
        let text = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ReachabilityManager {
    /// A manager for the way to one host, by its name (`managerForDomain:`), not monitoring.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for what cannot be a name.
    public convenience init(domain: String) throws(SessionError) {
        self.init(source: try HostReachabilitySource(domain: domain))
    }

    /// A manager for the way to one address, written in digits (`managerForAddress:`), not monitoring.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for anything else.
    public convenience init(address: String) throws(SessionError) {
        self.init(source: try SystemReachabilitySource(address: address))
    }
}
