/// How many transfers run at once, in all and to each host.
package struct TransferLimits: Sendable, Equatable {
    /// What a key can be pressed for: one by one where one more matters, in larger steps where it does not.
    static let values = Array(1...16) + [20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000]

    package var all: Int
    package var perHost: Int

    package init(all: Int = 5, perHost: Int = 16) {
        (self.all, self.perHost) = (all, perHost)
    }

    /// The next value above (below, for negative steps) a limit; the limit itself where there is none.
    static func next(_ limit: Int, by steps: Int) -> Int {
        steps > 0 ? values.first { $0 > limit } ?? limit : values.last { $0 < limit } ?? limit
    }
}
