import SessionCore

/// Responses that have to meet conditions.
extension LocalService {
    /// Compares a response with what is expected of it; nil where it is as expected.
    func judge(_ completion: TaskCompletion, of row: RowEnding) -> TransferFailure? {
        guard let terms = row.terms, let answer = Self.answer(completion, of: row, terms) else { return nil }
        switch terms.verdict(on: answer) {
        case .done: return nil
        case .fails(let sentence): return TransferFailure(unmet: sentence, status: answer.status)
        }
    }

    private static func answer(_ completion: TaskCompletion, of row: RowEnding, _ terms: AnswerTerms) -> Answer? {
        guard let head = completion.head else { return nil }
        return Answer(
            status: head.statusCode, headers: head.headers, body: row.output.map(\.copied) ?? completion.body,
            seconds: completion.metrics.total, readsJSON: terms.readsJSON)
    }
}

extension TransferFailure {
    /// A response that does not meet a condition.
    init(unmet sentence: String, status: Int) {
        self.init(kind: "condition", category: .condition, message: sentence, httpStatus: status)
    }
}
