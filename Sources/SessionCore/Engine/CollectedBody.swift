import Glibc

/// A body that lies in memory, handed on from the transfer to the task's completion without being copied.
///
/// A class because it owns its memory, which several values refer to; nothing writes to it any more.
package final class CollectedBody: Sendable {
    /// Written before this object exists, and freed with it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer?
    /// How many bytes there are.
    let count: Int

    /// Takes over memory of `malloc`'s.
    init(taking start: UnsafeMutableRawPointer?, count: Int) { (self.start, self.count) = (start, count) }

    /// A copy of bytes.
    package convenience init(_ bytes: some Collection<UInt8>) {
        var memory = BodyMemory()
        let isComplete = Array(bytes).withUnsafeBytes { memory.append($0) }
        precondition(isComplete, "There is no memory for \(bytes.count) bytes of a body")
        self.init(&memory)
    }

    deinit { free(start) }

    /// Calls a closure with the bytes; they lie at the same place as long as the object lives.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension CollectedBody: ExpressibleByArrayLiteral {
    /// A few bytes, or none.
    package convenience init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

/// Memory that a body grows in.
///
/// It grows by the system's own reallocation, which moves pages and copies none of a large body; where the length is known
/// it is never larger than that. Confined to its owner's thread.
struct BodyMemory: ~Copyable {
    /// So much is reserved for an announced length that nothing has proved yet.
    private static let trust = 1 << 20
    /// How many times as much as has arrived is reserved after that.
    private static let proof = 64

    private(set) var start: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0
    /// The length that was announced; nil for none.
    private let expected: Int?

    init(expected: Int? = nil) { self.expected = expected }

    deinit { free(start) }

    /// Adds bytes; false when the system has no memory for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return true }
        guard reserve(count + bytes.count), let start else { return false }
        (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
        return true
    }

    private mutating func reserve(_ needed: Int) -> Bool {
        guard needed > capacity else { return true }
        var wanted = max(needed, min(capacity, Int.max / 2) * 2)
        if let expected, needed <= expected {
            // What has arrived proves an announcement in part; one that is a lie costs next to nothing.
            let trusted = needed > Self.trust ? min(needed, Int.max / Self.proof) * Self.proof : Self.trust
            wanted = max(needed, min(expected, trusted))
        }
        guard let larger = realloc(start, wanted) else { return false }
        (start, capacity) = (larger, wanted)
        return true
    }

    /// Hands the memory over to another owner.
    mutating func forget() { (start, count, capacity) = (nil, 0, 0) }
}

extension CollectedBody {
    /// What has grown in some memory, which is empty afterwards.
    convenience init(_ memory: inout BodyMemory) {
        self.init(taking: memory.start, count: memory.count)
        memory.forget()
    }
}
