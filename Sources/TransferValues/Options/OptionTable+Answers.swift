import SessionSupport

/// The options about the response to a request.
extension JobOption {
    package static let assertion = record("assert")

    static var ofAnswers: [JobOption] {
        [
            JobOption(
                "assert", .condition,
                "expected response, else exit 7: status=2xx, header:A~b, json:.a==1, body~b, time<2s",
                of: .answers, memory: .ofTask, isRepeatable: true, curl: []
            ) { $0.answer.assertions.append($1) }
        ]
    }
}

extension OptionKind where Value == Condition {
    /// A condition about a response, which may name a secret.
    static var condition: Self {
        OptionKind(OptionStyle("CONDITION", mask: { text, _ in (try? Condition(text))?.shownText ?? text })) {
            text throws(OptionProblem) in
            do throws(Condition.Problem) {
                return try Condition(text)
            } catch {
                throw OptionProblem(error.sentence)
            }
        }
    }
}

extension [JobOption.Value] {
    /// What is expected of the response; nil without such options, as for most jobs.
    package var answerTerms: AnswerTerms? { contains { $0.option.subject == .answers } ? terms.answer : nil }
}
