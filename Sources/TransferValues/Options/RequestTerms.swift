/// The parsed options of a request: settings that the library takes unchanged, and others that are completed when the
/// request is made, because they depend on files, the environment or several options.
package struct RequestTerms: Sendable {
    /// Settings that the library takes unchanged.
    package var request = RequestOptions()
    /// Fields that replace the request's own.
    package var headers = HeaderFields()

    // MARK: - Credentials

    package var proxyUser: CredentialsText?
    /// The proxies of one scheme, in place of the one of all; nil where no option names one, and none inside for a
    /// direct connection.
    package var httpProxy: Proxy??
    package var httpsProxy: Proxy??
    package var authorities = AuthorityFiles()
    package var certificate: String?
    /// The format of the certificate; nil for the one that its name says.
    package var certificateFormat: ClientCertificate.Format?
    package var key: String?
    package var keyPassword: SecretText?
    package var user: CredentialsText?
    package var scheme = RequestCredentials.Scheme.basic
    /// Whether a Kerberos ticket replaces name and password.
    package var usesTicket = false
    package var bearer: SecretText?
    package var secretFields: [SecretField] = []
    /// The file of names and passwords; nil for none.
    package var netrc: NetrcSource?
    package var cookies: [CookieSource] = []
    /// The file of hosts that are only reached over https.
    package var secureHostsFile: String?

    // MARK: - Bodies

    package var form: [FormField] = []
    package var encodedFields: [EncodedField] = []
    package var json: BodySpecification?

    // MARK: - Files

    package var keepsRemoteTime = false
    package var comparesOverlap = false
    /// Whether to search for a published checksum.
    package var findsChecksum = false
    /// Whether the folders of the URL are kept below the chosen one.
    package var keepsFolders = false
    package var segmentation = Segmentation()
    package var mirrors: [String] = []
    /// The required length of the file in bytes.
    package var length: Int64?
    /// How an interrupted upload resumes; nil for the default.
    package var resumption: UploadResumption?

    /// What is expected of the response to a data request.
    package var answer = AnswerTerms()

    package init() {}
}

/// The location of a `.netrc` file.
package enum NetrcSource: Sendable, Equatable {
    /// A folder in the user's home.
    case home
    case file(String)
}
