import SessionSupport

/// Reasons why a download or an upload starts again, or cannot be resumed.
enum ResumeReasons {
    static let fileChanged = "File changed on server"
    static let tagDiffers = "File changed on server (ETag differs)"
    static let dateDiffers = "File changed on server (Last-Modified differs)"
    static func sizeDiffers(_ size: Int64, was old: Int64) -> String {
        let sizes = SizeWords.pair(size, old)
        return "File size changed on server: \(sizes.first), was \(sizes.second)"
    }
    static func sizeDiffers(_ size: Int64, partial received: Int64) -> String {
        let sizes = SizeWords.pair(size, received)
        return "File has \(sizes.first) on server, partial file \(sizes.second)"
    }
    static let sourceDateDiffers = "File at this URL has another Last-Modified"
    static let otherURLUnproven = "No date or checksum proves the new URL has the same file"
    static let redirectChanged = "Redirect target changed"

    // MARK: - Ranges

    static func rangeAnswered(_ code: Int) -> String { "Status \(code) in response to a range request" }
    static let severalParts = "Multipart response to a single range request"
    static let encodedRange = "Compressed response (Content-Encoding) to a range request"
    static let rangeUnnamed = "206 response without a Content-Range"
    static let lengthUnknown = "Size of the file unknown"
    static let wrongRange = "Wrong Content-Range in response"
    static let overlapTooShort = "Range too short to compare with the partial file"
    static let rangeBeyondEnd = "Range beyond the end of the file"
    static let rangeLengthDiffers = "Content-Length does not match Content-Range"
    static let tagMissing = "206 response without an ETag: resuming is unsafe"
    static let dateMissing = "206 response without Last-Modified: resuming is unsafe"
    static let unproven = "ETag and Last-Modified missing: the file may have changed"
    static let noRanges = "No range support for this file"
    static func fullFileRequested(_ reason: String) -> String { "\(reason); full file requested instead of a range" }
    static let rangeIgnored = "Range ignored, full file sent"
    static let announcedRangeIgnored = "Range ignored despite Accept-Ranges, full file sent"
    static let refusalUnnamed = "416 response without the size of the file"
    static let refusalUnknown = "Range refused (416), size of the file unknown"
    static func rangeRefused(at offset: Int64, of total: Int64) -> String {
        "Range from byte \(offset) of \(total) refused (416)"
    }
    static let rangesTooShort = "Responses to range requests too short"
    static let overran = "More data than Content-Range says"
    static let otherDigest = "Range differs from its Content-Digest"
    static let bytesDiffer = "Partial file differs from the file on server"
    static func again(_ reason: String) -> String { "\(reason), again after a restart" }
    static func thirdTime(_ reason: String) -> String { "\(reason), for the third time" }
    static func afterRestarts(_ reason: String, _ count: Int) -> String {
        "\(reason), after \(count, "restart", "restarts")"
    }

    // MARK: - Why not

    static let otherMethod = "Only GET can be resumed"
    static func otherStatus(_ code: Int) -> String { "First response had status \(code); only 200 can be resumed" }
    static let encoded = "Compressed response (Content-Encoding); cannot resume"
    static let noRangesAnnounced = "Range requests unsupported (Accept-Ranges: none)"
    static let nothingReceived = "Nothing received yet"
    static let partTooLong = "Partial file exceeds remote size"
    static let endUnknown = "Size of the file unknown: its end proves nothing"
    static let tooLittleToCompare = "Too little received to compare"
    static let partUnusable = "Partial file cannot be resumed"
    static let partGone = "Partial file is gone"
    static let partChanged = "Partial file changed by another program"

    // MARK: - Checksums, mirrors and uploads

    static let oldPartMixed = "Checksum mismatch: partial file was of another version"
    static let connectionsMixed = "Checksum mismatch: retrying over one connection"
    static let tooLittleForMirror = "Too little received to compare with another mirror"
    static let mirrorLacksRanges = "Next mirror has no range support"
    static let mirrorAlone = "Next mirror sends the file alone"
    static let mirrorsMixed = "Checksum mismatch after combining mirrors"
    static let mirrorChecksum = "Checksum mismatch in the file of a mirror"
    static let bodyFileChanged = "Local file changed since the upload began"
    static func uploadForgotten(_ phrase: String) -> String { "Upload unknown to the server (\(phrase))" }
    static let noPartList = "Object store does not list the parts of an upload"
    static let noContentRange = "Interrupted upload not kept by the server"
    static func noOptions(_ host: String) -> String { "No response to OPTIONS from \(host): plain upload" }
}
