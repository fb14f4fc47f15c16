/// The comments at the start of a file of hosts that are reached over https only.
enum SecureHostLines {
    static let form = "# Hosts for https only (HSTS); a leading dot includes subdomains"
    static let warning = "# Written by netdash, readable by curl"
}
