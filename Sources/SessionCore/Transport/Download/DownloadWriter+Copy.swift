/// Asking whether the file that is here already is still the server's.
extension DownloadWriter {
    /// The file that the current request asks about: a part of a newer one is gone on with instead, and a caller's own
    /// conditions stay the only ones.
    var copyAskedFor: ExistingCopy? {
        guard let copy, copy.validator != nil, front == 0, ResumePolicy.mayAdopt(description.request) else {
            return nil
        }
        return copy
    }

    /// What an answer says of the file that was asked about; nil where it is judged as any other.
    func judge(_ copy: ExistingCopy, by head: ResponseHead) -> Attempt.Next? {
        guard let validator = copy.validator else { return nil }
        var isUnchanged = false
        switch head.statusCode {
        case 304 where !copy.isCompared:
            switch validator.judge(notModified: head) {
            case .unchanged: isUnchanged = true
            case .unsaid: self.copy?.isCompared = true
            case .other: self.copy = nil
            }
        case 200 where copy.isCompared:
            let length = try? BodyLength(head, method: description.request.method)
            isUnchanged = validator.names(head, length: length?.byteCount, size: copy.size)
            guard isUnchanged else { return nil }
        default: return nil
        }
        guard isUnchanged else { return .nextRange }
        conclusion.wasSkipped = true
        conclusion.isUnchanged = true
        conclusion.file = FinishedFile(path: copy.path, wasSkipped: true)
        return .complete
    }
}
