/// The database of cookies in a profile of Firefox.
package enum FirefoxCookies {
    /// Returns the cookies of a database as the text of a cookie file, without the ones of containers.
    ///
    /// The database is a copy, because Firefox holds a lock on its own while it runs.
    package static func file(ofCopy path: String) throws(SessionError) -> String {
        do throws(SQLiteFailure) {
            return try lines(of: SQLiteDatabase(path: path)).joined()
        } catch {
            throw error.sessionError(path: path)
        }
    }

    private static func lines(of database: SQLiteDatabase) throws(SQLiteFailure) -> [String] {
        let statement = try SQLiteStatement(
            database,
            """
            SELECT host, path, isSecure, expiry, name, value, isHttpOnly FROM moz_cookies WHERE originAttributes = ''
            """)
        var lines: [String] = []
        while try statement.step() {
            guard let host = statement.text(0), let path = statement.text(1), let name = statement.text(4) else {
                continue
            }
            let fields = [
                (statement.integer(6) != 0 ? "#HttpOnly_" : "") + host, host.hasPrefix(".") ? "TRUE" : "FALSE", path,
                statement.integer(2) != 0 ? "TRUE" : "FALSE", String(seconds(statement.integer(3))), name,
                statement.text(5) ?? "",
            ]
            // A cookie with such characters fits no line, and no header field either.
            guard !fields.contains(where: { $0.utf8.contains { $0 < 0x20 } }) else { continue }
            lines.append(fields.joined(separator: "\t") + "\n")
        }
        return lines
    }

    /// An expiry in seconds: newer versions of Firefox store milliseconds.
    private static func seconds(_ expiry: Int64) -> Int64 { expiry > 100_000_000_000 ? expiry / 1000 : expiry }
}
