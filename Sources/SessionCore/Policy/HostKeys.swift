/// The keys of servers that tasks will ask which are not there yet; see ``RequestWay/key``.
///
/// A class because it remembers while its owner only asks. Belongs to one thread.
package final class HostKeys {
    private let origins = OriginCache()

    package init() {}

    /// The key of a URL's server; nil for a URL that cannot be read.
    ///
    /// - Parameter way: answers the detour to an origin, as the request's options tell it; nil for the ordinary way.
    package func key(of url: String, way: (_ origin: String) -> String?) -> String? {
        guard let origin = origins.entry(of: url)?.text else { return nil }
        return RequestWay.key(origin, way(origin))
    }
}
