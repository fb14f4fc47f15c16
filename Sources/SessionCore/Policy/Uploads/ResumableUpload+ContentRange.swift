import SessionSupport

/// Uploads that resume by `Content-Range`, as Google's resumable sessions do.
///
/// The first request has the complete body and no range, so that every server stores the file. After a cut, an empty
/// PUT with `Content-Range: bytes */LENGTH` asks how much has arrived. Only a 308 with `Range` is an answer. A server
/// that says anything else may have taken the question for an empty file, so it gets the complete file again, without
/// any range and without further questions.
extension ResumableUpload {
    /// Returns the request that asks how much has arrived, or that sends the bytes after an offset.
    func rangeRequest(for original: TransferRequest) -> TransferRequest {
        var request = original
        request.method = "PUT"
        request.headers = Self.common(original.headers)
        guard let piece, !piece.isEmpty else {
            request.body = .none
            request.headers["Content-Range"] = "bytes */\(content.length)"
            return request
        }
        request.headers["Content-Type"] = original.headers["Content-Type"]
        request.headers["Content-Range"] = "bytes \(piece.lowerBound)-\(piece.upperBound - 1)/\(content.length)"
        return request
    }

    /// Decides about the final head of a request.
    mutating func judgeRange(_ head: ResponseHead) -> Outcome {
        switch step {
        case .send, .append: judgeRangeSending(head)
        case .locate: judgeRangeQuestion(head)
        case .discover, .create, .discard: .answer
        }
    }

    private mutating func judgeRangeSending(_ head: ResponseHead) -> Outcome {
        switch head.statusCode {
        case 308: goOn(behindRangeOf: head)
        // The offset is wrong by the server's count.
        case 400, 409, 412, 416: step == .send ? .answer : askAgain(ResumeErrors.offsetsRefused, head)
        default: .answer
        }
    }

    private mutating func judgeRangeQuestion(_ head: ResponseHead) -> Outcome {
        switch head.statusCode {
        case 308: return goOn(behindRangeOf: head)
        // They say nothing about the upload, and the complete file would be refused for the same reason.
        case 401, 403, 407: return .answer
        // A server that has answered with 308 knows the question: the upload is complete, or its URL is gone.
        case 200..<300 where knowsRanges && handedOut.map({ $0 >= content.length }) != false: return .answer
        case 404 where knowsRanges, 410 where knowsRanges: return .answer
        default:
            becomeOrdinary()
            return .restartFromZero(reason: ResumeReasons.noContentRange)
        }
    }

    /// Continues at the offset that a 308 names.
    ///
    /// A server that has other bytes than it was sent would mix two files, so it gets no more.
    private mutating func goOn(behindRangeOf head: ResponseHead) -> Outcome {
        guard let offset = Self.end(ofRangeIn: head) else {
            return .fail(ResumePolicy.error(.badResponse, ResumeErrors.wrongRange, head))
        }
        guard !replacesBytes || offset == 0 else {
            return .fail(ResumePolicy.error(.badResponse, ResumeErrors.otherBytesKept(offset), head))
        }
        if let error = impossible(offset, head) { return .fail(error) }
        (knowsRanges, replacesBytes) = (true, false)
        location?.content = content
        let earlier = piece?.lowerBound
        confirm(offset)
        // An upload without missing bytes has to end with another status.
        guard offset < content.length else { return askAgain(ResumeErrors.uploadStuck, head) }
        if let earlier, offset <= earlier, !mayGoRound() {
            return .fail(ResumePolicy.error(.badResponse, ResumeErrors.uploadStuck, head))
        }
        advance(to: .append(offset))
        return .next
    }

    /// Asks what has arrived, a few times at most.
    private mutating func askAgain(_ problem: String, _ head: ResponseHead) -> Outcome {
        guard mayGoRound() else { return .fail(ResumePolicy.error(.badResponse, problem, head)) }
        advance(to: .locate)
        return .next
    }

    /// Returns the number of stored bytes: `bytes=0-99` means 100, and no field none; nil for anything else.
    private static func end(ofRangeIn head: ResponseHead) -> Int64? {
        let fields = head.headers.values(named: "Range")
        guard let field = fields.first else { return 0 }
        let text = ByteText.trimmed(field)
        guard fields.count == 1, text.hasPrefix("bytes=0-"), let last = ByteText.decimal(text.dropFirst(8)),
            last < .max
        else { return nil }
        return last + 1
    }
}
