import Foundation
import FoundationNetworking
import SessionSupport

/// A property of Foundation's request that says something which nothing here answers to.
///
/// A request that sets one is sent all the same, and ``SessionHandlers/onIgnoredProperty`` is told once; without that
/// closure a line on standard error says it, once in a process. `httpShouldUsePipelining` is none of them: it is a
/// permission, set unless somebody takes it back, and nobody makes use of it.
///
/// ```swift
/// manager.onIgnoredProperty = { property in print("\(property) means nothing here") }
/// ```
public enum IgnoredRequestProperty: String, Sendable, CaseIterable {
    /// Cookies are kept and sent whichever document asks.
    case mainDocumentURL
    /// No queue of the system knows kinds of service; ``SessionTask/priority`` and ``RateLimits`` say who goes first.
    case networkServiceType
    /// A machine's links are the system's affair; ``ReachabilityManager/status`` says what they are.
    case allowsCellularAccess

    /// Those that a request sets.
    static func set(in request: URLRequest) -> [IgnoredRequestProperty] {
        allCases.filter { property in
            switch property {
            case .mainDocumentURL: request.mainDocumentURL != nil && request.mainDocumentURL != request.url
            case .networkServiceType: request.networkServiceType != .default
            case .allowsCellularAccess: !request.allowsCellularAccess
            }
        }
    }
}

/// A cookie store that keeps no cookies and sends none: what `httpShouldHandleCookies` of Foundation's request is when
/// it is false.
///
/// As ``RequestOptions/cookies`` of a request it takes the place of the session's store. A class because stores are.
///
/// ```swift
/// var options = TaskOptions()
/// options.requestOptions = RequestOptions()
/// options.requestOptions?.cookies = NoCookies()
/// _ = try await manager.data(for: request, options: options)
/// ```
public final class NoCookies: CookieStore {
    /// A store that stays empty.
    public init() {}

    /// Nothing.
    public func field(for url: String) -> String? { nil }

    /// Keeps nothing.
    public func store(_ fields: [String], from url: String) {}
}

extension CookieJar {
    /// An empty jar by the system's clock.
    public convenience init() { self.init { Int64(Date().timeIntervalSince1970) } }
}

extension SessionManager {
    /// The properties that this process was told of.
    private static let told = Locked<Set<IgnoredRequestProperty>>([])

    /// Takes over what only Foundation's request says: its body stream, its cookies, and what cannot be honoured.
    func complete(
        _ request: inout TransferRequest, from urlRequest: URLRequest, _ kind: TransferKind, in session: Session,
        _ closures: inout TaskRecord.Closures
    ) throws(SessionError) {
        for property in IgnoredRequestProperty.set(in: urlRequest) { tell(property) }
        if !urlRequest.httpShouldHandleCookies, let cookies = session.configuration.options?.cookies,
            request.options?.cookies == nil || request.options?.cookies === cookies
        {
            var options = request.options ?? RequestOptions()
            options.cookies = NoCookies()
            request.options = options
        }
        // An upload has its body from the factory.
        guard kind != .upload, request.body == .none, let stream = urlRequest.httpBodyStream else { return }
        let body = try InputStreamBody.start(stream)
        request.body = .descriptor(body.descriptor)
        closures.body = body
    }

    private func tell(_ property: IgnoredRequestProperty) {
        if let closure = handler(\.onIgnoredProperty) {
            let isNew = state.withLock { $0.toldProperties.insert(property).inserted }
            if isNew { closure(property) }
            return
        }
        guard Self.told.withLock({ $0.insert(property).inserted }) else { return }
        let line = RequestErrors.foundationProperty(property.rawValue) + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
