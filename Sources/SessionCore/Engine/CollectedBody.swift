import Glibc

/// A response body in memory, passed from the transfer to the task's completion without a copy.
///
/// A class because it owns memory that several values share; nothing writes to it any more.
package final class CollectedBody: Sendable {
    /// Written before this object exists, and freed with it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer?
    let count: Int

    /// Takes ownership of memory that `malloc` allocated.
    init(taking start: UnsafeMutableRawPointer?, count: Int) { (self.start, self.count) = (start, count) }

    /// Copies bytes.
    package convenience init(_ bytes: some Collection<UInt8>) {
        var memory = BodyMemory()
        let isComplete = Array(bytes).withUnsafeBytes { memory.append($0) }
        precondition(isComplete, "There is no memory for \(bytes.count) bytes of a body")
        self.init(&memory)
    }

    deinit { free(start) }

    /// Calls a closure with the bytes, whose address is stable for the object's lifetime.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension CollectedBody: ExpressibleByArrayLiteral {
    package convenience init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

/// A growing buffer for a body.
///
/// It grows by the system's `realloc`, which moves pages instead of copying a large body; with a known length it never
/// grows beyond that length. Confined to its owner's thread.
struct BodyMemory: ~Copyable {
    /// Bytes reserved at most for an announced length before any of it has arrived.
    private static let trust = 1 << 20
    /// After that, the reserve is at most this many times the bytes that have arrived.
    private static let proof = 64

    private(set) var start: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0
    private let expected: Int?

    init(expected: Int? = nil) { self.expected = expected }

    deinit { free(start) }

    /// Appends bytes; false when the system is out of memory.
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
            // The arrived bytes confirm the announced length only in part, so a false announcement reserves little
            // memory.
            let trusted = needed > Self.trust ? min(needed, Int.max / Self.proof) * Self.proof : Self.trust
            wanted = max(needed, min(expected, trusted))
        }
        guard let larger = realloc(start, wanted) else { return false }
        (start, capacity) = (larger, wanted)
        return true
    }

    /// Gives up the memory after another owner has taken it.
    mutating func forget() { (start, count, capacity) = (nil, 0, 0) }
}

extension CollectedBody {
    /// Takes the contents of a buffer, which is empty afterwards.
    convenience init(_ memory: inout BodyMemory) {
        self.init(taking: memory.start, count: memory.count)
        memory.forget()
    }
}
