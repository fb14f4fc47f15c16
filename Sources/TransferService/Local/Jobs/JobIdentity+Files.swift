import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Credentials from a URL or a `.netrc` file, and warnings about files.
extension JobIdentity {
    /// Adds the credentials of a job without `--user`, and a file's for the hosts that redirects lead to.
    ///
    /// A password in the URL wins over one in the file, where a user name in the URL selects the entry. Without a file
    /// the library reads the URL itself, but it would send those credentials as Basic.
    func addNamedCredentials(to terms: inout RequestTerms, _ url: String) throws(Problem) {
        let named = RequestCredentials.named(in: url)
        terms.request.credentials = named.flatMap { named in
            guard terms.scheme != .basic else { return nil }
            return RequestCredentials(user: named.user, password: named.password ?? "", scheme: terms.scheme)
        }
        guard named?.password == nil, let source = terms.netrc, let host = URLScan(url).host.map({ url[$0] }) else {
            return
        }
        let file = try netrcFile(source)
        terms.request.hostCredentials = file.others(than: url, user: named?.user, scheme: terms.scheme)
        let found = file.credentials(host: String(host), user: named?.user, scheme: terms.scheme)
        terms.request.credentials = found ?? terms.request.credentials
    }

    /// The `.netrc` file, which is read again when it has changed.
    private func netrcFile(_ source: NetrcSource) throws(Problem) -> NetrcFile {
        let (option, path): (JobOption, String) =
            switch source {
            case .home: (.netrc, (environment["HOME"] ?? "") + "/.netrc")
            case .file(let path): (.netrcFile, path)
            }
        let version = FileVersion(path: UserFolder.expanding(path, environment: environment))
        if let version, let known = state.withLock({ $0.netrcFiles[path] }), known.version == version {
            return known.file
        }
        let bytes = try contents(of: path, for: option)
        do throws(SessionError) {
            let file = try NetrcFile(ByteText.withoutByteOrderMark(String(decoding: bytes, as: UTF8.self)))
            let warning = file.hasPasswords ? warning(ofReadersOf: path) : nil
            state.withLock { state in
                state.netrcFiles[path] = version.map { ($0, file) }
                if let warning { state.warn(warning) }
            }
            return file
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
