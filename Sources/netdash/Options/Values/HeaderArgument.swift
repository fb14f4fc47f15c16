import Dashboard
import SessionSupport

/// A header field in curl's syntax: `Name: value`, `Name;` for a field without a value, or `Name:` for a field that is
/// not sent.
enum HeaderArgument: Sendable, Equatable {
    case field(HeaderFields.Field)
    case withheld(JobOption.Value)

    init(_ text: String, label: String) throws(UsageError) {
        if text.hasSuffix(";"), !text.contains(":") {
            self = .field(try ValueParser.header(text.dropLast() + ":", label: label))
            return
        }
        let field = try ValueParser.header(text, label: label)
        guard field.value.isEmpty else {
            self = .field(field)
            return
        }
        do throws(OptionProblem) {
            self = .withheld(try JobOption.Value(checking: .withoutHeader, field.name))
        } catch {
            throw UsageError(argument: label, error.sentence)
        }
    }

    /// Adds the field to a job, or removes the fields of its name.
    func set(on job: inout Job) {
        switch self {
        case .field(let field): job.headers.append(field)
        case .withheld(let value):
            job.headers.removeAll { ByteText.isSame($0.name, value.text) }
            job.options.set(value)
        }
    }
}
