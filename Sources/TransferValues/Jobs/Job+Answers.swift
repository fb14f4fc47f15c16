/// The rules of the options about the response to a request, for command lines, lists and forms.
extension Job {
    /// An option that contradicts the job, and why.
    package struct AnswerProblem: Error, Equatable {
        package var option: JobOption
        /// A phrase that follows the option's name.
        package var sentence: String
    }

    /// The first problem of the options about the response; nil without one.
    package var answerProblem: AnswerProblem? {
        guard let first = options.first(where: { $0.option.subject == .answers })?.option else { return nil }
        guard kind == .data else { return AnswerProblem(option: first, sentence: AnswerUsage.needsRequest(first.name)) }
        let terms = options.terms.answer
        if terms.pages != nil, case .name = output {
            return AnswerProblem(option: .paginate, sentence: AnswerUsage.pagesInFile)
        }
        if terms.maximumPages != nil, terms.pages == nil {
            return AnswerProblem(option: .maximumPages, sentence: AnswerUsage.needsPages)
        }
        if body == .standardInput, terms.isPoll || terms.pages != nil {
            return AnswerProblem(option: first, sentence: AnswerUsage.inputOnce)
        }
        return nil
    }
}
