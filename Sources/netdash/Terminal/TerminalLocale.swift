import Glibc

/// The C library's idea of characters, which ncurses shares.
enum TerminalLocale {
    /// Takes the user's locale, or C.UTF-8 when the user has none or one this system lacks, and says whether it is UTF-8.
    ///
    /// Somebody who writes LANG=C asks for ASCII and gets it.
    ///
    /// Call once, before any thread exists: the locale belongs to the whole process.
    static func establish() -> Bool {
        if setlocale(LC_ALL, "") != nil, isUTF8 { return true }
        return !isChosen && setlocale(LC_ALL, "C.UTF-8") != nil && isUTF8
    }

    /// Whether the environment names a locale that is there and is not UTF-8, as the C library reads it.
    private static var isChosen: Bool {
        let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let names = variables.compactMap { variable in getenv(variable).map { String(cString: $0) } }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        return setlocale(LC_CTYPE, name) != nil
    }

    private static var isUTF8: Bool {
        nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false
    }
}
