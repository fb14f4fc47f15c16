import SessionSupport

/// One thing that a place says about requests, with the rule of what it leaves of places farther from the request.
///
/// The places, from the farthest on: the configuration file, a profile, the sections about hosts, the command line, the
/// lines of a list, and a change of a task.
package enum RequestSetting: Sendable, Equatable {
    case option(JobOption.Value)
    case field(HeaderFields.Field)
    /// A name and a password in the URL.
    case userInfo

    /// Whether a setting of a farther place says nothing any more beside this one.
    ///
    /// Two credentials never meet, a password is for its own proxy or key alone, and of a header field one place
    /// decides. Repeatable options add up.
    package func displaces(_ other: RequestSetting) -> Bool {
        if case .option(let value) = self, value.isOff { return value.undoes(other) }
        if let name = fieldName, other.fieldName == name { return !(isCookie && other.isCookie) }
        if identifies, other.identifies { return true }
        guard case .option(let value) = self else { return isUnsigned && other.signs }
        guard case .option(let farther) = other else { return value.option == .amazonSignature && other.isUnsigned }
        return value.displaces(farther) || isUnsigned && other.signs || signs && other.isUnsigned
    }

    /// Whether it is about the same as a setting of another place, of which one is enough: unlike ``displaces(_:)``,
    /// also where repeatable options of one place would add up.
    package func replaces(_ other: RequestSetting) -> Bool {
        if displaces(other) { return true }
        guard case .option(let value) = self, case .option(let farther) = other else { return false }
        return (fieldName == nil || isCookie) && !value.isOff && value.option.matter == farther.option.matter
    }

    /// The header field that it decides, in lower case; nil for none.
    private var fieldName: String? {
        switch self {
        case .field(let field): ByteText.lowercased(field.name[...])
        case .option(let value): value.isOff ? nil : value.fieldName
        case .userInfo: nil
        }
    }

    /// Whether it is a cookie of an option, which others join in one field.
    private var isCookie: Bool {
        guard case .option(let value) = self else { return false }
        return value.option == .cookie
    }

    /// Whether it says who sends the request.
    package var identifies: Bool {
        switch self {
        case .userInfo: true
        case .field: fieldName == Self.authorization
        case .option(let value):
            !value.isOff && (JobOption.ofIdentities.contains(value.option) || fieldName == Self.authorization)
        }
    }

    private static let authorization = "authorization"

    /// Whether it signs requests with a name and a password that another option gives.
    private var signs: Bool {
        guard case .option(let value) = self else { return false }
        return value.option == .amazonSignature
    }

    /// Whether it says who sends the request by something that signs nothing.
    ///
    /// A name and a password in a URL may be meant as keys, and must not be sent in clear in place of a signature.
    private var isUnsigned: Bool {
        switch self {
        case .userInfo: false
        case .field: identifies
        case .option(let value): identifies && ![.user, .netrc, .netrcFile].contains(value.option)
        }
    }
}

extension JobOption {
    fileprivate static let ofIdentities: Set<JobOption> = [user, bearer, negotiate, netrc, netrcFile]

    /// Options that a request needs together, such as a proxy and its password.
    private static let families: [Set<JobOption>] = [
        [proxy, httpProxy, httpsProxy, noProxy, proxyUser], [certificate, certificateFormat, key, keyPassword],
        [authorityFile, authorityFolder], [resolve, connectTo],
    ]

    func belongsTogether(with other: JobOption) -> Bool {
        matter == other.matter || Self.families.contains { $0.contains(self) && $0.contains(other) }
    }

    /// Whether this option leaves nothing of another one of its family in a farther place.
    ///
    /// A password of one proxy is not sent to another, but the hosts without a proxy are the same for all.
    fileprivate func settles(_ other: JobOption) -> Bool {
        switch self {
        case .proxyUser, .noProxy, .certificateFormat, .key, .keyPassword, .resolve, .connectTo: false
        case .proxy: other != .noProxy && belongsTogether(with: other)
        case .httpProxy, .httpsProxy: other == .proxyUser
        default: belongsTogether(with: other)
        }
    }
}

extension JobOption.Value {
    fileprivate func displaces(_ other: JobOption.Value) -> Bool {
        if other.isOff { return option.matter == other.option.matter }
        guard option != other.option else { return !option.isRepeatable }
        if option.matter == other.option.matter || option.settles(other.option) { return true }
        return forbidsEveryVersion(with: other)
    }

    /// Whether a switch that is off is about a setting.
    fileprivate func undoes(_ other: RequestSetting) -> Bool {
        guard case .option(let value) = other else { return false }
        return value.option == option || option == .netrc && value.option == .netrcFile
    }

    /// Whether no version of TLS is left between the two.
    private func forbidsEveryVersion(with other: JobOption.Value) -> Bool {
        guard option == .mostTLS || other.option == .mostTLS else { return false }
        return [self, other].terms.request.transport.excludesEveryTLS
    }

    /// The header field that it decides, in lower case; nil for none.
    fileprivate var fieldName: String? {
        switch option {
        case .userAgent: "user-agent"
        case .referer: "referer"
        case .withoutHeader: ByteText.lowercased(text[...])
        case .secretHeader: ByteText.lowercased(text.prefix { $0 != ":" })
        // A file of cookies and the cookies of a browser are for many hosts.
        case .cookie: text.contains("=") ? "cookie" : nil
        default: nil
        }
    }
}
