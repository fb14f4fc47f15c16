import CCurl

/// A problem that OpenSSL found in a chain of certificates.
enum CertificateProblem {
    /// The problem in words; nil for a result that says nothing of the chain, such as success.
    static func words(_ verification: Int) -> String? {
        switch cc_verification_problem(verification) {
        case CC_PROBLEM_NONE: nil
        case CC_PROBLEM_SELF_SIGNED: TrustReasons.selfSigned
        case CC_PROBLEM_EXPIRED: TrustReasons.expired
        case CC_PROBLEM_NOT_YET_VALID: TrustReasons.notYetValid
        case CC_PROBLEM_REVOKED: TrustReasons.revoked
        case CC_PROBLEM_NAMES_NO_HOST: TrustReasons.namesNoHost
        case CC_PROBLEM_OTHER_HOST: TrustReasons.otherHost
        case CC_PROBLEM_UNKNOWN_ISSUER: TrustReasons.unknownIssuer
        default: cc_verification_words(verification).map { String(cString: $0) }
        }
    }
}
