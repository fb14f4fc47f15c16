/// What the bytes of a download are known by: the answer that brought them, or what was stored with an earlier run's part.
///
/// Indirect because it is asked often, and a copy would count every reference in it.
indirect enum DownloadEvidence: Sendable {
    case answer(FreshAnswer)
    case stored(StoredFacts)

    /// What has to be stored with a part, made anew each time.
    var facts: StoredFacts {
        switch self {
        case .answer(let answer): StoredFacts(answer)
        case .stored(let facts): facts
        }
    }

    /// Length of the whole file; nil when unknown.
    var length: Int64? {
        switch self {
        case .answer(let answer): answer.length
        case .stored(let facts): facts.length
        }
    }

    /// The Content-Type field.
    var contentType: String? {
        switch self {
        case .answer(let answer): answer.contentType
        case .stored(let facts): facts.contentType
        }
    }

    /// Whether a part of so many bytes may be continued.
    func mayResume(partSize: Int64) -> Bool {
        switch self {
        case .answer(let answer): ResumePolicy.mayResume(answer, partSize: partSize).isResumable
        case .stored(let facts): ResumePolicy.mayResume(facts, partSize: partSize).isResumable
        }
    }
}
