/// A value behind a reference: a request or a target passes through many hands and seldom changes, and a copy of it
/// would retain each of its parts.
final class SharedValue<Value: Sendable & Equatable>: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// Returns a changed copy.
    func changed(_ body: (inout Value) -> Void) -> SharedValue {
        var value = value
        body(&value)
        return SharedValue(value)
    }

    /// Printed and reflected as the value itself.
    var description: String { "\(value)" }
    var customMirror: Mirror { Mirror(reflecting: value) }

    static func == (left: SharedValue, right: SharedValue) -> Bool { left === right || left.value == right.value }
}
