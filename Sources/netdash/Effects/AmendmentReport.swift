import Dashboard
import TransferService

/// One sentence about a change of several tasks: how many were changed, and how many not and why.
enum AmendmentReport {
    /// The most reasons in the sentence; further tasks are counted.
    private static let reasonLimit = 3

    /// Empty where no service has answered.
    static func messages(_ reply: CommandReply) -> [Message] {
        let total = reply.added.count + reply.refusals.count
        guard total > 0 else { return [] }
        let head =
            reply.refusals.isEmpty
            ? EffectToasts.amended(total) : EffectToasts.amended(reply.added.count, of: total)
        let reasons = reasons(of: reply.refusals)
        var parts = [head] + reasons.prefix(reasonLimit).map { EffectToasts.unchanged($0.count, $0.reason) }
        let rest = reasons.dropFirst(reasonLimit).reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append(EffectToasts.unchanged(rest)) }
        return [.toast(parts.joined(by: " · "), isError: reply.added.isEmpty)]
    }

    /// The reasons, the most frequent first.
    private static func reasons(of refusals: [CommandReply.Refusal]) -> [(reason: SafeText, count: Int)] {
        var counts: [(reason: SafeText, count: Int)] = []
        for refusal in refusals {
            if let index = counts.firstIndex(where: { $0.reason == refusal.reason }) {
                counts[index].count += 1
            } else {
                counts.append((refusal.reason, 1))
            }
        }
        return counts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map { $0.element }
    }
}
