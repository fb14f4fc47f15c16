import SessionSupport

/// The options about the response to a request.
extension JobOption {
    package static let assertion = record("assert")
    package static let until = record("until")
    package static let poll = record("poll")
    package static let pollLimit = record("poll-max-time")
    package static let thenDownload = record("then-download")
    package static let paginate = record("paginate")
    package static let paginateJSON = record("paginate-json")
    package static let maximumPages = record("max-pages")

    static var ofAnswers: [JobOption] {
        [
            JobOption(
                "assert", .condition,
                "expected response, else exit 7: status=2xx, header:A~b, json:.a==1, body~b, time<2s",
                of: .answers, memory: .ofTask, isRepeatable: true, curl: []
            ) { $0.answer.assertions.append($1) },
            JobOption(
                "until", .condition,
                "repeat the request until the response meets this; conditions as for --assert",
                of: .answers, memory: .ofTask, isRepeatable: true, curl: []
            ) { $0.answer.until.append($1) },
            JobOption(
                "poll", .duration(from: 0.1),
                "time between requests: 2s, 500ms, 1m (2s); without --until, until status=2xx",
                of: .answers,
                memory: .ofTask, curl: []
            ) { $0.answer.pollInterval = $1 },
            JobOption(
                "poll-max-time", .duration(from: 0.1),
                "give up after this time with exit 7 (10m)",
                of: .answers, memory: .ofTask, curl: []
            ) { $0.answer.pollLimit = $1 },
            JobOption(
                "then-download", .jsonPath, "download the URLs at a JSON path of the response, e.g. .files[].url",
                of: .answers, memory: .ofTask, curl: []
            ) { $0.answer.downloads = $1 },
            JobOption(
                "paginate", "follow Link: rel=next; bodies come in order",
                of: .answers, memory: .ofTask, matter: "paginate", curl: []
            ) { $0.answer.pages = .links },
            JobOption(
                "paginate-json", .jsonPath,
                "follow the URL at a JSON path of the response, e.g. .next",
                of: .answers, memory: .ofTask, matter: "paginate", curl: []
            ) { $0.answer.pages = .path($1) },
            JobOption(
                "max-pages", .pages, "max. pages of --paginate (1000)", of: .answers, memory: .ofTask, curl: []
            ) { $0.answer.maximumPages = $1 },
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

extension OptionKind where Value == Double {
    /// A time with its unit.
    static func duration(from least: Double) -> Self {
        OptionKind(OptionStyle("TIME")) { text throws(OptionProblem) in
            guard let seconds = DurationValue.seconds(text), (least...8_640_000).contains(seconds) else {
                throw OptionProblem(ConditionUsage.duration)
            }
            return seconds
        }
    }
}

extension OptionKind where Value == Int {
    /// A number of pages.
    static var pages: Self {
        OptionKind(OptionStyle("N")) { text throws(OptionProblem) in
            guard let count = ByteText.decimal(text), (1...1_000_000).contains(count) else {
                throw OptionProblem(ConditionUsage.pages)
            }
            return Int(count)
        }
    }
}

extension OptionKind where Value == JSONQuery {
    static var jsonPath: Self {
        OptionKind(OptionStyle("PATH", mask: { text, _ in (try? JSONQuery(text))?.shownText ?? text })) {
            text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(ConditionUsage.emptyPath) }
            do throws(JSONPath.Problem) {
                return try JSONQuery(text)
            } catch {
                throw OptionProblem(ConditionUsage.path(error.sentence.string.asPhrase))
            }
        }
    }
}

extension [JobOption.Value] {
    /// What is expected of the response; nil without such options, as for most jobs.
    package var answerTerms: AnswerTerms? { contains { $0.option.subject == .answers } ? terms.answer : nil }
}
