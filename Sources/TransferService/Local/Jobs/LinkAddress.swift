import SessionCore

/// Resolves links that documents name.
package enum LinkAddress {
    /// The address of a link on a page, with the page's user info on its own server; nil for a link without http.
    package static func resolved(_ link: String, against page: String) -> String? {
        try? URLParser.resolve(link, against: page)
    }
}
