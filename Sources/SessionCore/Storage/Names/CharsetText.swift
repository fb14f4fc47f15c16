import Glibc
import SessionSupport

/// Text decoding for the charsets in which servers send file names (RFC 8187, 3.2; RFC 2047).
enum CharsetText {
    /// The C library's charset names, keyed by the web's names.
    ///
    /// A charset with a common superset maps to the superset. Charsets with escape sequences are left out, except the
    /// one of Japanese mail.
    private static let charsets: [String: String] = {
        var names = [
            "gb2312": "GB18030", "gbk": "GB18030", "gb18030": "GB18030", "x-gbk": "GB18030", "big5": "BIG5-HKSCS",
            "big5-hkscs": "BIG5-HKSCS", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
            "windows-31j": "CP932", "euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP", "euc-kr": "CP949",
            "ks_c_5601-1987": "CP949", "tis-620": "CP874", "windows-874": "CP874", "koi8-r": "KOI8-R",
            "koi8-u": "KOI8-U", "ibm866": "CP866", "cp866": "CP866", "macintosh": "MACINTOSH",
        ]
        for number in 1250...1258 { names["windows-\(number)"] = "CP\(number)" }
        for number in 1250...1258 { names["cp\(number)"] = "CP\(number)" }
        for number in 2...16 where number != 12 { names["iso-8859-\(number)"] = "ISO-8859-\(number)" }
        return names
    }()

    /// Decodes bytes of a charset; nil for an unknown charset, and for bytes that are invalid in it.
    static func decoded(_ bytes: [UInt8], charset: String) -> String? {
        let name = ByteText.lowercased(charset)
        switch name {
        case "utf-8", "utf8", "us-ascii", "ascii": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": return western(bytes)
        default: return charsets[name].flatMap { convert(bytes, from: $0) }
        }
    }

    /// The code points of Windows-1252 from 0x80 to 0x9F, which are control characters in ISO-8859-1.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]

    /// Maps a code point of ISO-8859-1 as the web does, which reads it as Windows-1252.
    static func western(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(windows[Int(scalar.value) - 0x80]) ?? scalar
    }

    private static func western(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.map { western(Unicode.Scalar($0)) })
        return text
    }

    private static func convert(_ bytes: [UInt8], from charset: String) -> String? {
        let converter = iconv_open("UTF-8", charset)
        // The C library reports a failure as the pointer -1.
        guard let converter, Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        let room = output.count
        let left: Int? = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                var (from, to) = (source.baseAddress, target.baseAddress)
                var (fromCount, toCount) = (source.count, target.count)
                // Unconverted input means that the bytes are invalid in the charset.
                let failed = iconv(converter, &from, &fromCount, &to, &toCount) == -1
                guard !failed, fromCount == 0 else { return nil }
                // A charset with combining marks keeps the last letter back for the next one.
                return iconv(converter, nil, nil, &to, &toCount) == -1 ? nil : toCount
            }
        }
        guard let left else { return nil }
        return String(validating: output[..<(room - left)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
