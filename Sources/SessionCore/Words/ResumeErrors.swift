import SessionSupport

/// Answers to resumed downloads and uploads that end them.
enum ResumeErrors {
    static func otherURLSize(_ size: Int64, expected: Int64) -> String {
        let sizes = SizeWords.pair(size, expected)
        return "File at the new URL has \(sizes.first), expected \(sizes.second); partial file kept"
    }

    // MARK: - Uploads

    static let twoUploadURLs = "Server named two URLs for one upload"
    static let partWithoutURL = "Server keeps a partial upload without naming its URL"
    static let offsetMissing = "Response without an upload offset"
    static func falseEnd(_ offset: Int64, of length: Int64) -> String {
        let sizes = SizeWords.pair(offset, length)
        return "Server calls the upload complete at \(sizes.first) of \(sizes.second)"
    }
    static let offsetsRefused = "Server refuses every upload offset that it has named"
    static func uploadLocked(_ phrase: String) -> String { "Upload locked by an earlier connection (\(phrase))" }
    static let uploadStuck = "Server accepts no more of the upload"
    static func offsetTooHigh(_ offset: Int64, sent: Int64) -> String {
        let sizes = SizeWords.pair(offset, sent)
        return "Server claims \(sizes.first) of the upload, but \(sizes.second) were sent; upload it again"
    }
    static let uploadURLMissing = "Response without the Location of the upload"
    static let uploadURLUnusable = "Location of the upload cannot be used"
    static let uploadElsewhere = "Refused to move the upload to another server"
    static func uploadTooLarge(_ length: Int64, limit: Int64) -> String {
        let sizes = SizeWords.pair(length, limit)
        return "Upload of \(sizes.first) exceeds the server's limit of \(sizes.second)"
    }
    static let wrongRange = "Wrong Range of the upload in response"
    static func otherBytesKept(_ count: Int64) -> String {
        "Server keeps \(SizeWords.text(count)) of another file for this URL; ask for a new upload URL"
    }

    // MARK: - Uploads in parts

    static func noPartTag(_ number: Int) -> String { "No ETag in the response to part \(number) of the upload" }
    static func otherPart(_ number: Int) -> String { "Checksum mismatch in part \(number) of the upload" }
    static let storeAnswer = "Invalid response from the object store"
    static func storeRefused(_ code: String) -> String {
        code.isEmpty ? "Object store refused to join the parts" : "Object store refused to join the parts: \(code)"
    }
    static let clockDiffers = "Clock differs too much from the object store's; set the clock and retry"
    static func otherRegion(_ region: String) -> String { "Bucket is in region \(region); sign the request for it" }
    static func partRefused(_ code: String) -> String { "Object store refused a part: \(code)" }
    static let partsTooSmall = "Object store demands larger parts (EntityTooSmall); set a larger part size"
    static func partsStay(_ count: Int, _ id: String) -> String {
        "\(count, "part stays", "parts stay") at the server, in upload \(id)"
    }
    static let bodyMiddle = "Body cannot be read from its middle"
}
