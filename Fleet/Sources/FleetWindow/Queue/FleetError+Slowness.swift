internal import FleetQueue

extension FleetError {
    /// Whether the server ended a statement because it took too long.
    var isSlow: Bool { code == .refused && text.contains("statement timeout") }
}
