/// The names of parameters, header fields and body members whose values are secrets.
///
/// A secret word counts anywhere in a name, because names have many spellings (`access_token`, `accessToken`,
/// `PHPSESSID`), but not as a part of an ordinary word (`author`, `keyboard`).
enum SecretName {
    // Lower-case bytes are used because a name is compared with all of them, and searching strings took a third of a
    // key's time.
    private static let words = bytes(
        "sig", "token", "key", "auth", "authoriz", "authoris", "pass", "secret", "credential", "session", "sessid",
        "hmac", "csrf", "xsrf", "saml", "hdnts", "hdnea", "hdntl")
    /// Names that mark a secret only as the full name.
    private static let exactNames = bytes(
        "se", "sp", "sv", "pw", "pwd", "code", "jwt", "sid", "ticket", "otp", "totp", "pin", "gda", "bearer", "cookie",
        "set_cookie")
    private static let prefixes = bytes("x_amz_", "x_goog_")
    /// Names of signatures with other meanings too: the value must look random.
    private static let namesOfRandomValues = bytes("st", "md5")
    /// Ordinary words that contain a secret one, also without underscores.
    private static let ordinary = {
        ordinaryWords + ordinaryWords.filter { $0.contains(0x5F) }.map { $0.filter { $0 != 0x5F } }
    }()
    private static let ordinaryWords = bytes(
        "author", "authuser", "auth_type", "auth_method", "compass", "bypass", "passage", "passenger",
        "passive", "pass_through", "surpass", "trespass", "encompass", "secretar", "possession",
        "obsession", "allow_credentials", "with_credentials", "include_credentials", "design", "assign", "resign",
        "consign", "signal", "signific", "sigma", "sight", "insig", "signed_headers", "tokeniz", "tokenis",
        "token_type",
        "max_token", "min_token", "total_token", "prompt_token", "completion_token", "keyword", "keyboard", "keyframe",
        "keynote", "keystroke", "monkey", "turkey", "donkey", "hockey", "jockey", "whiskey", "key_type", "key_size",
        "sort_key", "order_key", "cache_key", "surrogate_key", "partition_key", "primary_key",
        "foreign_key", "group_key", "public_key", "idempotency_key", "hot_key")
    /// Words whose values are secrets even if they look like a switch.
    private static let wordsOfPasswords = bytes("pass", "pw", "secret")
    private static let switches = bytes("true", "false", "yes", "no", "on", "off", "null", "none", "")

    private static func bytes(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

    /// Returns whether the name of a query parameter or a body member marks a secret, even percent-encoded.
    static func hidesParameter(_ name: String) -> Bool {
        let plain = plain(ByteText.percentDecoded(name))
        return isSecret(plain) || prefixes.contains { plain.starts(with: $0) }
    }

    /// Returns whether a parameter is a secret by its name and value: `auth=false` is not.
    static func hidesParameter(_ name: String, value: [UInt8]) -> Bool {
        let plain = plain(ByteText.percentDecoded(name))
        guard isSecret(plain) || prefixes.contains(where: { plain.starts(with: $0) }) else {
            return namesOfRandomValues.contains(plain) && SecretShape.isRandom(value)
        }
        return !isSwitch(value) || wordsOfPasswords.contains { offset(of: $0, in: plain, from: 0) != nil }
    }

    /// Returns whether a header field of this name carries a secret.
    ///
    /// The prefixes of Amazon and Google do not hide a field, because most such fields describe the stored object.
    static func hidesField(_ name: String) -> Bool { isSecret(plain(Array(name.utf8))) }

    /// Returns whether a value is a switch or empty.
    private static func isSwitch(_ value: [UInt8]) -> Bool { switches.contains(value.map(ByteText.lowercased)) }

    /// Returns the name in lower case with `_` between its words: `Set-Cookie`, `set.cookie`.
    private static func plain(_ name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(name.count)
        for byte in name {
            if ByteText.isLetter(byte) || ByteText.isDigit(byte) || byte >= 0x80 {
                result.append(ByteText.lowercased(byte))
            } else if let last = result.last, last != 0x5F {
                result.append(0x5F)
            }
        }
        if result.last == 0x5F { result.removeLast() }
        return result
    }

    private static func isSecret(_ name: [UInt8]) -> Bool {
        if exactNames.contains(name) { return true }
        return words.contains { word in
            var start = 0
            while let found = offset(of: word, in: name, from: start) {
                if !isOrdinary(name, found..<found + word.count) { return true }
                start = found + 1
            }
            return false
        }
    }

    /// Returns whether a word is part of an ordinary one.
    private static func isOrdinary(_ name: [UInt8], _ word: Range<Int>) -> Bool {
        ordinary.contains { ordinary in
            var start = max(0, word.upperBound - ordinary.count)
            while let found = offset(of: ordinary, in: name, from: start), found <= word.lowerBound {
                if found + ordinary.count >= word.upperBound { return true }
                start = found + 1
            }
            return false
        }
    }

    private static func offset(of word: [UInt8], in name: [UInt8], from start: Int) -> Int? {
        guard let first = word.first, name.count - start >= word.count else { return nil }
        for offset in start...name.count - word.count where name[offset] == first {
            if name[offset...].starts(with: word) { return offset }
        }
        return nil
    }
}
