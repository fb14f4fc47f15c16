/// The text of a URL as it may be shown, logged and stored: without passwords and without values that open doors.
///
/// It works on the text alone and never fails, because a URL that cannot be parsed may hold secrets too.
enum URLRedactor {
    /// What stands in place of a secret.
    static let mask = "***"

    /// The URL without userinfo and with the values of secret query and fragment keys masked.
    static func display(_ url: String) -> String {
        let bytes = Array(url.utf8)
        let start = authorityStart(bytes)
        let tail = bytes[start...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
        var head = Array(bytes[..<start])
        let authorityEnd = bytes[start..<tail].firstIndex { $0 == 0x2F || $0 == 0x5C } ?? tail
        let hostStart = bytes[start..<authorityEnd].lastIndex(of: 0x40).map { $0 + 1 } ?? start
        head += bytes[hostStart..<tail]
        return String(decoding: head, as: UTF8.self) + redactedParameters(bytes[tail...])
    }

    private static func authorityStart(_ bytes: [UInt8]) -> Int {
        var index = 0
        while index + 1 < bytes.count {
            switch bytes[index] {
            case 0x3F, 0x23: return 0
            case 0x2F where bytes[index + 1] == 0x2F: return index + 2
            default: index += 1
            }
        }
        return 0
    }

    private static func redactedParameters(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var key: [UInt8] = []
        var isMasking = false
        for byte in bytes {
            switch byte {
            case 0x3F, 0x23, 0x26, 0x3B:
                result.append(byte)
                key = []
                isMasking = false
            case 0x3D where !isMasking && isSecret(key):
                result.append(byte)
                result += mask.utf8
                isMasking = true
            default:
                key.append(byte)
                if !isMasking { result.append(byte) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let secretParts = ["sig", "token", "key", "auth", "pass", "secret", "credential", "session"]
    private static let secretNames = ["se", "sp", "sv", "pw", "pwd", "code", "jwt"]
    private static let secretPrefixes = ["x-amz-", "x-goog-"]

    /// Whether a query key names a secret.
    static func isSecret(_ key: some Sequence<UInt8>) -> Bool {
        let decoded = ByteText.percentDecoded(String(decoding: Array(key), as: UTF8.self))
        let name = ByteText.lowercased(String(decoding: decoded, as: UTF8.self))
        return secretNames.contains(name) || secretPrefixes.contains { name.hasPrefix($0) }
            || secretParts.contains { name.contains($0) }
    }
}
