/// A value that does not change any more and has several readers, behind one reference.
///
/// It is for values of a dozen references, of which each copy would count every one, and for what few have, where a look
/// at nil would copy a whole value. Sharing descriptions, outcomes and completions took a task from 36,800 instructions
/// to 26,000, from its creation to its completion handler; the delegate queue's part of a small file went from 33,900 to
/// 28,600 with outcomes, and to 27,700 with providers and caches (`docs/PERFORMANCE.md`). Anything else is a plain value.
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
