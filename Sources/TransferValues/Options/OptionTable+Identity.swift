/// The options with credentials.
extension JobOption {
    package static let user = record("user")
    package static let proxyUser = record("proxy-user")
    package static let digest = record("digest")
    package static let anyScheme = record("anyauth")
    package static let negotiate = record("negotiate")
    package static let ntlm = record("ntlm")
    package static let amazonSignature = record("aws-sigv4")
    package static let bearer = record("bearer")
    package static let secretHeader = record("secret-header")
    package static let withoutHeader = record("without-header")
    package static let netrc = record("netrc")
    package static let netrcFile = record("netrc-file")
    package static let userAgent = record("user-agent")
    package static let referer = record("referer")
    package static let cookie = record("cookie")
    package static let cookiesFrom = record("cookies-from")
    package static let cookieJar = record("cookie-jar")

    static var ofIdentity: [JobOption] {
        [
            JobOption(
                "user", .credentials,
                "credentials (Basic, Digest); @env:NAME, @file:PATH or @cmd:COMMAND reads them",
                letter: "u", reach: .server, curl: ["--user", "-u"]
            ) { $0.user = $1 },
            JobOption("digest", "use Digest authentication only, never a clear password", matter: "scheme") {
                $0.scheme = .digest
            },
            JobOption("ntlm", "use NTLM for --user DOMAIN\\NAME:PASSWORD", matter: "scheme") { $0.scheme = .ntlm },
            JobOption(
                "anyauth", "send --user only when the server asks: by Digest if it offers that, else as Basic",
                matter: "scheme"
            ) { $0.scheme = .any },
            JobOption(
                "negotiate", "use Kerberos (SPNEGO) with the ticket from kinit", reach: .server
            ) { $0.usesTicket = true },
            JobOption(
                "aws-sigv4", .signing,
                "AWS Signature V4 with the keys of --user: aws:amz:REGION:SERVICE", reach: .server
            ) { $0.request.signing = $1 },
            JobOption(
                "bearer", .secret("TOKEN"), "bearer token; @env:NAME, @file:PATH or @cmd:COMMAND reads it",
                reach: .server, curl: ["--oauth2-bearer"]
            ) { $0.bearer = $1 },
            JobOption(
                "secret-header", .secretField,
                "header field; its value may be @env:NAME, @file:PATH or @cmd:COMMAND",
                reach: .server, isRepeatable: true, curl: []
            ) { $0.secretFields.append($1) },
            JobOption(
                "without-header", .fieldName, "do not send the field NAME, which is sent by default; as -H 'NAME:'",
                isRepeatable: true, curl: []
            ) { $0.request.withheldFields.append($1) },
            JobOption("netrc", "read credentials from ~/.netrc", curl: ["--netrc", "-n"]) {
                $0.netrc = $0.netrc ?? .home
            },
            JobOption("netrc-file", .file(), "read credentials from FILE") { $0.netrc = .file($1) },
            JobOption(
                "user-agent", .optionalText("TEXT"), "User-Agent header; empty for none (netdash)", letter: "A",
                reach: .run, curl: ["--user-agent", "-A"]
            ) {
                if $1.isEmpty { $0.request.withheldFields.append("User-Agent") } else { $0.headers["User-Agent"] = $1 }
            },
            JobOption(
                "referer", .page, "Referer header; empty for none", letter: "e", reach: .server,
                curl: ["--referer", "-e"]
            ) { if !$1.isEmpty { $0.headers["Referer"] = $1 } },
            JobOption(
                "cookie", .cookie, "send a cookie, or the cookies of FILE, and accept new ones", reach: .server,
                isRepeatable: true, curl: ["--cookie", "-b"], aria: ["load-cookies"]
            ) { $0.cookies.append($1) },
            JobOption(
                "cookies-from", .browser, "send the cookies of firefox (last used profile) or firefox:PROFILE",
                reach: .server, curl: []
            ) { $0.cookies.append($1) },
            JobOption(
                "cookie-jar", .cookieJar, "accept cookies, and write them to FILE at the end",
                curl: ["--cookie-jar", "-c"],
                aria: ["save-cookies"]
            ) { $0.cookies.append($1) },
        ]
    }
}
