import SessionSupport

extension SafeText {
    /// A URL with its secrets masked.
    package init(url: String) { self.init(maskedURL: Redaction.url(url)) }

    /// A URL whose secrets are masked already.
    ///
    /// What a terminal could obey, hide or draw differently stands percent-encoded, so that the text stays a URL of the
    /// same resource: scripts read it, and the history opens the form with it.
    package init(maskedURL url: String) {
        let plain = SafeText(untrusted: url)
        let isWhole = plain.string.utf8.elementsEqual(url.utf8) || url.utf8.count > SafeText.byteLimit
        self = isWhole ? plain : SafeText(untrusted: Self.encoded(url))
    }

    private static func encoded(_ url: String) -> String {
        url.reduce(into: "") { text, character in
            let character = String(character)
            let isDrawable = Sanitizer.sanitize(character).utf8.elementsEqual(character.utf8)
            text += isDrawable ? character : ByteText.percentEncoded(character)
        }
    }
}
