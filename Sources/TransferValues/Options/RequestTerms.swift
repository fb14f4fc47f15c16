/// What options say of a request, read once: the part that the library takes as it is, and what is completed when the
/// request is made, because it stands in files, in the environment or in several options together.
package struct RequestTerms: Sendable {
    /// What the library takes as it is.
    package var request = RequestOptions()
    /// Fields that replace the request's own.
    package var headers = HeaderFields()

    // MARK: - Who asks

    package var proxyUser: CredentialsText?
    package var authorities = AuthorityFiles()
    package var certificate: String?
    package var key: String?
    package var keyPassword: SecretText?
    package var user: CredentialsText?
    package var scheme = RequestCredentials.Scheme.basic
    /// Whether a Kerberos ticket stands for name and password.
    package var usesTicket = false
    package var bearer: SecretText?
    /// The file of names and passwords; nil for none.
    package var netrc: NetrcSource?
    package var cookies: [CookieSource] = []

    // MARK: - Bodies

    package var form: [FormField] = []
    package var encodedFields: [EncodedField] = []
    package var json: BodySpecification?

    // MARK: - Files

    package var keepsRemoteTime = false
    package var comparesOverlap = false
    /// Whether a checksum is looked for beside the file.
    package var findsChecksum = false
    package var segmentation = Segmentation()
    package var mirrors: [String] = []
    /// The bytes that the file has to have.
    package var length: Int64?
    /// How an upload goes on that was cut; nil where nothing is said of it.
    package var resumption: UploadResumption?

    package init() {}
}

/// Where a `.netrc` file is.
package enum NetrcSource: Sendable, Equatable {
    /// In the user's home.
    case home
    case file(String)
}
