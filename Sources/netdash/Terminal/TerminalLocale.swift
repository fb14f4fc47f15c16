import Glibc

/// The C library's idea of characters, which ncurses shares.
enum TerminalLocale {
    /// Takes the user's characters, or those of C.UTF-8 when the user has none or a locale this system lacks, and says
    /// whether they are UTF-8.
    ///
    /// Somebody who writes LANG=C asks for ASCII and gets it. Nothing else is taken: the language of the system's
    /// sentences, numbers and dates stays the one of all other output, and a locale for dates that this system lacks
    /// changes nothing.
    ///
    /// Call once, before any thread exists: the locale belongs to the whole process.
    static func establish() -> Bool {
        if setlocale(LC_CTYPE, "") != nil, isUTF8 { return true }
        return !isChosen && setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8
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
