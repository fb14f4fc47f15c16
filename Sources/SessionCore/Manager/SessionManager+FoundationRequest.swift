import Foundation
import FoundationNetworking
import SessionSupport

/// A property of Foundation's request that has no effect here.
///
/// A request that sets one is still sent, and ``SessionHandlers/onIgnoredProperty`` is called once; without that
/// closure one line per process reports it on standard error. `httpShouldUsePipelining` is not among them: it is a
/// permission, set by default, which is never used.
///
/// ```swift
/// manager.onIgnoredProperty = { property in print("\(property) means nothing here") }
/// ```
public enum IgnoredRequestProperty: String, Sendable, CaseIterable {
    /// Cookies are kept and sent regardless of the requesting document.
    case mainDocumentURL
    /// The system's queues know no service types; ``SessionTask/priority`` and ``RateLimits`` set the order.
    case networkServiceType
    /// The system decides about a machine's links; ``ReachabilityManager/status`` reports them.
    case allowsCellularAccess

    /// Returns the properties that a request sets; a main document counts only if it is not the request's URL.
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

/// A cookie store that keeps and sends no cookies, as Foundation's `httpShouldHandleCookies = false` asks.
///
/// As ``RequestOptions/cookies`` of a request it replaces the session's store. A class because stores are.
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

    /// Returns nil: no request gets a `Cookie` field.
    public func field(for url: String) -> String? { nil }

    /// Drops the fields.
    public func store(_ fields: [String], from url: String) {}
}

extension CookieJar {
    /// An empty store that uses the system's clock.
    public convenience init() { self.init { Int64(Date().timeIntervalSince1970) } }
}

extension SessionManager {
    /// The properties reported on standard error, once per process.
    private static let told = Locked<Set<IgnoredRequestProperty>>([])

    /// Takes over the parts only Foundation's request has: its body stream, its cookies, and the ignored properties.
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
        // An upload gets its body from the factory.
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
