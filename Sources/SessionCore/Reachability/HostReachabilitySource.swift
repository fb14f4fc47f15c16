import CLinux
import Glibc
import SessionSupport

/// The network route to one host by its name: the route that a connection to its addresses would take.
///
/// The name is resolved when a watch begins and after every network change, on a separate thread; the host itself is
/// sent nothing. Until the first result the link is ``NetworkLink/unknown``. A name that does not exist has no link;
/// without a reachable resolver the last addresses count, or else the default route. A class because its lookups run
/// while callers read it.
package final class HostReachabilitySource: ReachabilitySource {
    /// The result of a lookup.
    enum Answer: Sendable, Equatable {
        /// The addresses in numeric form.
        case addresses([String])
        /// The name does not exist.
        case unknownName
        /// No resolver could be reached.
        case noAnswer
    }

    private struct State: Sendable {
        var answer: Answer?
        var isLookingUp = false
        /// True if the network has changed since the lookup began.
        var isOutdated = false
    }

    package let domain: String
    private let lookUp: @Sendable (String) -> Answer
    private let system = SystemReachabilitySource()
    private let state = Locked(State())

    /// Creates a source for a host's name, or its address without a port.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for text that cannot be a name.
    package convenience init(domain: String) throws(SessionError) {
        try self.init(domain: domain, lookUp: Self.askSystem)
    }

    init(domain: String, lookUp: @escaping @Sendable (String) -> Answer) throws(SessionError) {
        let isName = domain.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        guard !domain.isEmpty, domain.utf8.count <= 253, isName else {
            throw SessionError(.unknownHost, TaskErrors.watchedHost)
        }
        guard !domain.utf8.contains(UInt8(ascii: ":")) || Self.isAddress(domain) else {
            throw SessionError(.unknownHost, TaskErrors.watchedPort(domain))
        }
        (self.domain, self.lookUp) = (domain, lookUp)
    }

    /// Whether a text is an IPv6 address, with or without a zone.
    private static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1
    }

    /// The link of the best route to the host, as far as its addresses are known.
    package func currentLink() -> NetworkLink {
        switch state.withLock({ $0.answer }) {
        case nil: .unknown
        case .addresses(let addresses): SystemReachabilitySource.link(toFirstOf: addresses)
        case .unknownName: .none
        case .noAnswer: system.currentLink()
        }
    }

    /// Resolves the name now, and after every network change.
    package func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)? {
        let watch = system.watch { [weak self] in
            self?.findAddresses(then: mayHaveChanged)
            mayHaveChanged()
        }
        findAddresses(then: mayHaveChanged)
        return watch
    }

    /// Runs one lookup at a time; a change during a lookup starts another one.
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
            // Without a thread no lookup is possible; the next network change tries again.
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
        // The zone after the percent sign is dropped, because the route lookup does not use it.
        let text = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ReachabilityManager {
    /// A manager for the route to one host, by its name (`managerForDomain:`), not monitoring.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for text that cannot be a name.
    public convenience init(domain: String) throws(SessionError) {
        self.init(source: try HostReachabilitySource(domain: domain))
    }

    /// A manager for the route to one numeric address (`managerForAddress:`), not monitoring.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for any other text.
    public convenience init(address: String) throws(SessionError) {
        self.init(source: try SystemReachabilitySource(address: address))
    }
}
