import Glibc

/// The C library's idea of characters, which ncurses shares.
enum TerminalLocale {
    /// Takes the user's locale, or C.UTF-8 when the user has none, and says whether it is UTF-8.
    ///
    /// Call once, before any thread exists: the locale belongs to the whole process.
    static func establish() -> Bool {
        if setlocale(LC_ALL, "") != nil, isUTF8 { return true }
        // A locale of somebody's own choice stays; none at all, or one this system lacks, does not mean ASCII.
        let isChosen = setlocale(LC_CTYPE, nil).map { !["C", "POSIX"].contains(String(cString: $0)) } ?? false
        return !isChosen && setlocale(LC_ALL, "C.UTF-8") != nil && isUTF8
    }

    private static var isUTF8: Bool {
        nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false
    }
}
