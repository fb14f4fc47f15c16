import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Credentials from a URL or a `.netrc` file, and warnings about files.
extension JobIdentity {
    /// The credentials of a job without `--user`.
    ///
    /// A password in the URL wins over one in the file, where a user name in the URL selects the entry. Without a file
    /// the library reads the URL itself, but it would send those credentials as Basic.
    func namedCredentials(_ terms: RequestTerms, _ url: String) throws(Problem) -> RequestCredentials? {
        let named = RequestCredentials.named(in: url)
        if named?.password == nil, let source = terms.netrc,
            let found = try netrcCredentials(source, url, user: named?.user, terms.scheme)
        {
            return found
        }
        guard let named, terms.scheme != .basic else { return nil }
        return RequestCredentials(user: named.user, password: named.password ?? "", scheme: terms.scheme)
    }

    /// The `.netrc` entry for the host of a URL.
    private func netrcCredentials(
        _ source: NetrcSource, _ url: String, user: String?, _ scheme: RequestCredentials.Scheme
    ) throws(Problem) -> RequestCredentials? {
        let (option, path): (JobOption, String) =
            switch source {
            case .home: (.netrc, (environment["HOME"] ?? "") + "/.netrc")
            case .file(let path): (.netrcFile, path)
            }
        guard let host = URLScan(url).host.map({ String(url[$0]) }) else { return nil }
        let version = FileVersion(path: UserFolder.expanding(path, environment: environment))
        if let version, let known = state.withLock({ $0.netrcFiles[path] }), known.version == version {
            return known.file.credentials(host: host, user: user, scheme: scheme)
        }
        let bytes = try contents(of: path, for: option)
        do throws(SessionError) {
            let file = try NetrcFile(ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self)))
            let warning = file.hasPasswords ? warning(ofReadersOf: path) : nil
            state.withLock { state in
                state.netrcFiles[path] = version.map { ($0, file) }
                if let warning { state.warn(warning) }
            }
            return file.credentials(host: host, user: user, scheme: scheme)
        } catch {
            throw Problem(option: option, sentence: IdentityUsage.credentialsFile(path, error.message))
        }
    }

    /// A warning when others can read a file of passwords; nil otherwise.
    private func warning(ofReadersOf path: String) -> SafeText? {
        var status = stat()
        guard stat(UserFolder.expanding(path, environment: environment), &status) == 0,
            status.st_mode & (S_IRGRP | S_IROTH) != 0
        else { return nil }
        return ServiceLines.passwordsReadable(SafeText(untrusted: path))
    }

    /// A warning about a file of cookies; nil where each line is a cookie.
    static func warning(of contents: CookieJar.FileContents, in path: String) -> SafeText? {
        guard contents.unreadableLines > 0 else { return nil }
        let name = SafeText(untrusted: path)
        guard contents.cookies > 0 else { return ServiceLines.noCookies(name) }
        return ServiceLines.unreadableCookies(contents.unreadableLines, name)
    }
}
