/// What is wrong with conditions in the form.
enum ConditionErrors {
    static func needsRequest(_ option: String) -> String { "\(option) is only for data requests" }
}
