/// The options with credentials.
extension JobOption {
    package static let user = record("user")
    package static let proxyUser = record("proxy-user")
    package static let digest = record("digest")
    package static let negotiate = record("negotiate")
    package static let amazonSignature = record("aws-sigv4")
    package static let bearer = record("bearer")
    package static let netrc = record("netrc")
    package static let netrcFile = record("netrc-file")
    package static let cookie = record("cookie")
    package static let cookieJar = record("cookie-jar")

    static var ofIdentity: [JobOption] {
        [
            JobOption(
                "user", .credentials,
                "Basic, or Digest if it asks; the password, or both, may be @env:NAME or @file:PATH",
                letter: "u", reach: .server, curl: ["--user", "-u"]
            ) { $0.user = $1 },
            JobOption("digest", "show the password of --user as Digest only, never in clear") { $0.scheme = .digest },
            JobOption(
                "negotiate", "show a Kerberos ticket, which kinit gets, to a server that asks (SPNEGO)", reach: .server
            ) { $0.usesTicket = true },
            JobOption(
                "aws-sigv4", .signing,
                "sign with the keys of --user, as Amazon's services want it: aws:amz:REGION:SERVICE", reach: .server
            ) { $0.request.signing = $1 },
            JobOption(
                "bearer", .secret("TOKEN"), "the token for the URL's server, or its place: @env:NAME or @file:PATH",
                reach: .server, curl: ["--oauth2-bearer"]
            ) { $0.bearer = $1 },
            JobOption("netrc", "look for name and password in ~/.netrc", curl: ["--netrc", "-n"]) {
                $0.netrc = $0.netrc ?? .home
            },
            JobOption("netrc-file", .file(), "look for name and password in FILE") { $0.netrc = .file($1) },
            JobOption(
                "user-agent", .text("TEXT"), "the name of the program that servers see (netdash)", letter: "A",
                reach: .run, curl: ["--user-agent", "-A"]
            ) { $0.headers["User-Agent"] = $1 },
            JobOption(
                "referer", .page, "the page that the request comes from", letter: "e", reach: .server,
                curl: ["--referer", "-e"]
            ) { $0.headers["Referer"] = $1 },
            JobOption(
                "cookie", .cookie, "send a cookie, or those of a file, and keep what servers set", reach: .server,
                isRepeatable: true, curl: ["--cookie", "-b"], aria: ["load-cookies"]
            ) { $0.cookies.append($1) },
            JobOption(
                "cookie-jar", .cookieJar, "keep cookies, and write them to FILE at the end",
                curl: ["--cookie-jar", "-c"],
                aria: ["save-cookies"]
            ) { $0.cookies.append($1) },
        ]
    }
}
