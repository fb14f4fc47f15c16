/// A whole number that may be missing, in no more room than the number takes.
///
/// The smallest number there is stands for none, so it cannot be kept; no count and no moment is that small.
@propertyWrapper
package struct CompactOptional: Sendable, Equatable {
    private var stored = Int64.min

    package init(wrappedValue: Int64?) {
        self.wrappedValue = wrappedValue
    }

    /// The number; nil while there is none.
    package var wrappedValue: Int64? {
        get { stored == .min ? nil : stored }
        set { stored = newValue ?? .min }
    }
}
