/// Errors in conditions in the form.
enum ConditionErrors {
    static func contradicts(_ option: String, _ problem: String) -> String { "\(option): \(problem)" }
    static func needsRequest(_ option: String) -> String { "\(option) is only for data requests" }
}
