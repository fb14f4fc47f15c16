import Glibc

/// Texts for a parser of foreign text: those of a kept corpus, and what random changes make of them.
///
/// In an ordinary run each parser gets the corpus and some more than a thousand changed texts, always the same. `script/fuzz` gives each
/// so many seconds and a seed, and has the last text written down, so that one that ends the process is known.
package struct Fuzzing {
    /// Changed texts for each parser in an ordinary run.
    private static let ordinaryCount = 1_500
    /// Minutes that a test of two parsers may take: five, and as many as both were told to take.
    package static let minutes = 5 + Int((FuzzPlan.current.seconds ?? 0) * 2 / 60)

    /// Failures that are told of one parser.
    private static let toldFailures = 5

    private let name: String
    private let corpus: [[UInt8]]
    private let words: [[UInt8]]

    /// Texts for a parser.
    ///
    /// - Parameters:
    ///   - name: says in messages which parser it is.
    ///   - corpus: texts to begin with, among them every one that ever made trouble.
    ///   - words: pieces that mean something to the parser.
    package init(_ name: String, corpus: [String], words: [String] = []) {
        self.init(name, bytes: corpus.map { Array($0.utf8) }, words: words)
    }

    /// Bytes for a parser.
    package init(_ name: String, bytes: [[UInt8]], words: [String] = []) {
        self.name = name
        corpus = bytes
        self.words = words.map { Array($0.utf8) }
    }

    /// What a parser did wrong, with the text, for a few of the texts that it did wrong with.
    ///
    /// - Parameter share: a part of the usual number of texts, for a parser that takes long for each.
    package func failures(
        share: Double = 1, _ check: (_ bytes: [UInt8], _ random: inout FuzzSource) throws -> String?
    ) rethrows -> [String] {
        let plan = FuzzPlan.current
        var random = FuzzSource(seed: plan.seed)
        var failures: [String] = []
        let record = plan.record(name)
        defer { if let record { close(record) } }
        var count = 0
        let limit = corpus.count + Int(Double(Self.ordinaryCount) * share)
        let end = plan.seconds.map { Self.now + $0 }
        while failures.count < Self.toldFailures, end.map({ Self.now < $0 || count < corpus.count }) ?? (count < limit)
        {
            let bytes = count < corpus.count ? corpus[count] : changed(&random)
            count += 1
            if let record { Self.put(bytes, record) }
            if let failure = try check(bytes, &random) { failures.append("\(name): \(failure): \(Self.shown(bytes))") }
        }
        return failures
    }

    private static var now: Double {
        var time = timespec()
        return clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 : .infinity
    }

    /// Best effort: it only says which text ended the process.
    private static func put(_ bytes: [UInt8], _ file: Int32) {
        _ = pwrite(file, bytes, bytes.count, 0)
        _ = ftruncate(file, off_t(bytes.count))
    }

    /// A text as a Swift literal of bytes, cut.
    private static func shown(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(600).map { byte -> String in
            (0x20..<0x7F).contains(byte) && byte != 0x5C && byte != 0x22
                ? String(UnicodeScalar(byte)) : (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }
        return text.joined()
    }

    // MARK: - Changes

    private static let strangeBytes: [UInt8] = [
        0, 9, 0x0A, 0x0D, 0x1B, 0x20, 0x22, 0x23, 0x25, 0x27, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x30, 0x39, 0x3A,
        0x3B,
        0x3D, 0x3F, 0x40, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xBF, 0xC2, 0xE2, 0xF0, 0xFF,
    ]
    private static let strangeNumbers = [
        "0", "1", "-1", "00", "9223372036854775807", "9223372036854775808", "18446744073709551615", "4294967296",
        "99999999999999999999999", "2147483648", "1e309", "+5", "0x10", "٣",
    ].map { Array($0.utf8) }

    private func changed(_ random: inout FuzzSource) -> [UInt8] {
        var bytes = random.element(corpus) ?? []
        for _ in 0...random.number(below: 6) { change(&bytes, &random) }
        return bytes
    }

    private func change(_ bytes: inout [UInt8], _ random: inout FuzzSource) {
        let offset = random.number(below: bytes.count + 1)
        let end = min(offset + 1 + random.number(below: random.number(below: 2) == 0 ? 4 : 64), bytes.count)
        switch random.number(below: 10) {
        case 0 where offset < bytes.count: bytes[offset] ^= 1 << UInt8(random.number(below: 8))
        case 1 where offset < bytes.count: bytes[offset] = random.element(Self.strangeBytes) ?? 0
        case 2: bytes.insert(random.element(Self.strangeBytes) ?? 0, at: offset)
        case 3: bytes.removeSubrange(offset..<end)
        case 4: bytes.insert(contentsOf: bytes[offset..<end], at: offset)
        case 5: bytes.insert(contentsOf: random.element(words) ?? [0x20], at: offset)
        case 6: bytes.replaceSubrange(offset..<end, with: random.element(Self.strangeNumbers) ?? [])
        case 7: bytes.removeSubrange(offset...)
        case 8:
            guard let other = random.element(corpus) else { return }
            bytes.replaceSubrange(offset..., with: other.dropFirst(random.number(below: other.count + 1)))
        default: bytes.insert(UInt8(random.number(below: 256)), at: offset)
        }
        if bytes.count > 1 << 20 { bytes.removeSubrange((1 << 20)...) }
    }
}

/// How long and from which seed parsers are given texts.
private struct FuzzPlan {
    var seed: UInt64 = 1
    /// Nil in an ordinary run.
    var seconds: Double?
    var folder: String?

    static let current: FuzzPlan = {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return FuzzPlan(
            seed: variable("NETDASH_FUZZ_SEED").flatMap { UInt64($0) } ?? 1,
            seconds: variable("NETDASH_FUZZ_SECONDS").flatMap { Double($0) }, folder: variable("NETDASH_FUZZ_LAST"))
    }()

    /// The file that keeps the last text of a parser; nil without a folder for it.
    func record(_ name: String) -> Int32? {
        guard let folder else { return nil }
        let file = open(folder + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        return file >= 0 ? file : nil
    }
}

/// A random source that repeats itself (SplitMix64).
package struct FuzzSource {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 on, below another one, which has to be above 0.
    package mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
    }

    /// Any element; nil of none.
    package mutating func element<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }
}
