/// The first lines of a file of cookies.
enum CookieFileLines {
    static let form = "# Netscape HTTP Cookie File"
    static let warning = "# Anyone who reads this file can act in your name."
}
