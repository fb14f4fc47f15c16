/// Whether prefixes of sizes stand for powers of 1024 or of 1000.
package enum Units: String, Sendable, CaseIterable {
    case binary, decimal

    /// What one step from a prefix to the next multiplies by.
    package var step: Double {
        switch self {
        case .binary: 1024
        case .decimal: 1000
        }
    }
}
