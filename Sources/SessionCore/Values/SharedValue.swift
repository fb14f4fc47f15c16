/// A value that does not change any more and has several readers, behind one reference: where a value has a dozen
/// references in it, each copy would count them all.
final class SharedValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) {
        self.value = value
    }

    /// The value with a change, for whoever goes on with that one.
    func changed(_ body: (inout Value) -> Void) -> SharedValue {
        var value = value
        body(&value)
        return SharedValue(value)
    }
}
