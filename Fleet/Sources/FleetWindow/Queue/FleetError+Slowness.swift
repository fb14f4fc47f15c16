internal import FleetQueue

extension FleetError {
    /// Whether the server ended a statement because it took too long, in whatever language it says so.
    var isSlow: Bool { code == .interrupted }
}
