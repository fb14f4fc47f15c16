/// What a writer knows of the answer under way, of its jobs and of the file's end.
extension DownloadWriter {
    /// What the body of the current answer is to the file.
    struct Plan {
        /// The length of the whole file, once known.
        var expected: Int64?
        /// The bytes that were here when the answer began.
        var resumedAt: Int64 = 0
        /// Where in the file it begins.
        var start: Int64 = 0
        /// Where in the file it ends; 0 where nobody knows.
        var answerEnd: Int64 = 0
        /// What the answer may still add to the file; nil without a limit.
        var allowance: Int64?
        /// Bytes at the start of the answer that repeat the end of the part.
        var overlap: Int64 = 0
        /// Whether nothing of the answer was compared with the part, not even its first byte's place.
        var isUncompared = false
        /// Whether a branch has asked for it, when the part was known to be of the same version.
        var isOfBranch = false
        var lengthIsVerifiable = true
        /// The fewest bytes that a body of unannounced length must have to be taken for the file.
        var leastLength: Int64 = 0

        /// The whole file comes.
        static func whole(_ length: BodyLength, leastLength: Int64) -> Plan {
            Plan(
                expected: length.byteCount, answerEnd: length.byteCount ?? 0, allowance: length.byteCount,
                lengthIsVerifiable: length.isVerifiable, leastLength: leastLength)
        }

        /// The rest of the file comes, or a piece of it.
        static func rest(_ plan: AppendPlan, leastLength: Int64) -> Plan {
            Plan(
                expected: plan.total, resumedAt: plan.offset, start: plan.offset, answerEnd: plan.offset + plan.limit,
                allowance: plan.limit, overlap: plan.overlap, isUncompared: plan.overlap == 0, leastLength: leastLength)
        }
    }

    /// What storage does for this transfer, one job after another, and who waits for it.
    struct Jobs {
        /// Jobs without an answer.
        var count = 0
        /// What waits for storage to be done with this transfer.
        var whenIdle: [() -> Void] = []
        var preparing: ((Preparation) -> Void)?
        var finishing: ((SessionError?) -> Void)?
        var closing: (() -> Void)?
    }

    /// What has become of the file.
    struct Conclusion {
        /// Whether every byte is in the part.
        var isComplete = false
        /// Whether a file was there already, and stays.
        var wasSkipped = false
        /// Whether it stays because the server has no other.
        var isUnchanged = false
        var file: FinishedFile?
        /// Why the file cannot be kept, known only after its body had ended.
        var refusal: SessionError?
        var keptPartPath: String?
        /// The bytes of it that count; nil where none was kept.
        var keptBytes: Int64?
        /// Whether a later run can go on with the part that was kept.
        var mayGoOn = false
        /// Whether the end has left no part that anybody could go on with.
        var hasNoPart = false
        /// Whether the end has left no file at all.
        var hasNoFile = false
    }
}
