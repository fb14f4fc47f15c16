extension LoopCore {
    /// Returns the key of a request's route to its server; the origin for nearly every request.
    func routeKey(of request: TransferRequest, to origin: String) -> String {
        guard let options = options(of: request.sharedOptions), options.leadsElsewhere else { return origin }
        return RequestRoute(to: request.url, options: options.values, origin: origin).key
    }
}

/// Caches requests' options, completed by the session's, and the certificate authorities they name.
///
/// The requests of a list share their options, so only the latest pair is kept. Confined to the transfer loop.
final class OptionsCache {
    private let session: SharedOptions?
    private var latest: (given: SharedOptions, completed: SharedOptions)?
    private var authorities: [AuthorityFiles: Authorities] = [:]

    init(_ session: RequestOptions?) {
        self.session = session.map { SharedOptions($0) }
    }

    func options(of given: SharedOptions?) -> SharedOptions? {
        guard let given else { return session }
        guard let session else { return given }
        if let latest, latest.given === given { return latest.completed }
        let completed = SharedOptions(given.values.completed(by: session.values))
        latest = (given, completed)
        return completed
    }

    func authorities(of files: AuthorityFiles) throws(SessionError) -> Authorities {
        if let known = authorities[files] { return known }
        let fresh = try Authorities(files)
        authorities[files] = fresh
        return fresh
    }
}
