import SessionSupport

/// Values of options about connections below HTTP.
extension OptionKind where Value == TLSVersion? {
    /// A version of TLS; nil for the newest one.
    package static var secureVersion: Self {
        OptionKind(OptionStyle("VERSION")) { text throws(OptionProblem) in
            if text == "default" { return nil }
            guard let version = TLSVersion(rawValue: text) else { throw OptionProblem(OptionUsage.secureVersion) }
            return version
        }
    }
}

extension OptionKind where Value == ClientCertificate.Format {
    /// The format of a certificate's file, in any case.
    package static var certificateFormat: Self {
        OptionKind(OptionStyle("PEM|P12")) { text throws(OptionProblem) in
            guard let format = ClientCertificate.Format(rawValue: text.uppercased()) else {
                throw OptionProblem(OptionUsage.certificateFormat)
            }
            return format
        }
    }
}

extension OptionKind where Value == String {
    /// The URL of a server that resolves names over HTTPS; libcurl sends it no name and password.
    package static var nameService: Self {
        OptionKind(OptionStyle("URL", mask: maskedURL)) { text throws(OptionProblem) in
            let scan = URLScan(text)
            guard scan.isRequestable, scan.isEncrypted, scan.namesHost else {
                throw OptionProblem(OptionUsage.nameService)
            }
            guard scan.userInfo == nil else { throw OptionProblem(OptionUsage.nameServiceUser) }
            return text
        }
    }
}

extension OptionKind where Value == UInt8 {
    /// The differentiated services field of packets: a name, or the byte's number.
    package static var serviceType: Self {
        OptionKind(OptionStyle("NAME")) { text throws(OptionProblem) in
            if let number = ByteText.decimal(text).flatMap({ UInt8(exactly: $0) }) { return number }
            guard let point = codePoints[text.uppercased()] else { throw OptionProblem(OptionUsage.serviceType) }
            // Two bits behind the code point are the network's own (RFC 3168).
            return point << 2
        }
    }

    /// The names of code points (RFC 2474, 2597, 3246, 5865 and 8622).
    private static var codePoints: [String: UInt8] {
        var points: [String: UInt8] = ["LE": 1, "EF": 46, "VA": 44, "VOICE-ADMIT": 44]
        for level in UInt8(0)...7 { points["CS\(level)"] = level * 8 }
        for level in UInt8(1)...4 {
            for drop in UInt8(1)...3 { points["AF\(level)\(drop)"] = level * 8 + drop * 2 }
        }
        return points
    }

    package static var packetPriority: Self {
        OptionKind(OptionStyle("N")) { text throws(OptionProblem) in
            guard let number = ByteText.decimal(text), (0...7).contains(number) else {
                throw OptionProblem(OptionUsage.packetPriority)
            }
            return UInt8(number)
        }
    }
}
