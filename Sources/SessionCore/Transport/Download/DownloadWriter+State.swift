/// A writer's state: the current response, the storage jobs and the file's end.
extension DownloadWriter {
    /// How the body of the current response relates to the file.
    struct Plan {
        /// The length of the complete file; nil until known.
        var expected: Int64?
        /// The bytes already received when the response began.
        var resumedAt: Int64 = 0
        /// The offset in the file at which it begins.
        var start: Int64 = 0
        /// The offset in the file at which it ends; 0 if unknown.
        var answerEnd: Int64 = 0
        /// The bytes it may still add to the file; nil without a limit.
        var allowance: Int64?
        /// Bytes at its start that repeat the end of the partial file.
        var overlap: Int64 = 0
        /// Whether nothing of it was compared with the partial file, not even the position of its first byte.
        var isUncompared = false
        /// Whether a branch requested it, after the partial file was known to be of the same version.
        var isOfBranch = false
        var lengthIsVerifiable = true
        /// The fewest bytes that a body of unannounced length must have to be taken for the file.
        var leastLength: Int64 = 0

        /// Plans for the complete file.
        static func full(_ length: BodyLength, leastLength: Int64) -> Plan {
            Plan(
                expected: length.byteCount, answerEnd: length.byteCount ?? 0, allowance: length.byteCount,
                lengthIsVerifiable: length.isVerifiable, leastLength: leastLength)
        }

        /// Plans for the rest of the file, or a piece of it.
        static func rest(_ plan: AppendPlan, leastLength: Int64) -> Plan {
            Plan(
                expected: plan.total, resumedAt: plan.offset, start: plan.offset, answerEnd: plan.offset + plan.limit,
                allowance: plan.limit, overlap: plan.overlap, isUncompared: plan.overlap == 0, leastLength: leastLength)
        }
    }

    /// The storage jobs of this transfer, which run one after another, and the callbacks that wait for them.
    struct Jobs {
        /// Unfinished jobs.
        var count = 0
        /// Callbacks for when storage has no job left for this transfer.
        var whenIdle: [() -> Void] = []
        var preparing: ((Preparation) -> Void)?
        var finishing: ((SessionError?) -> Void)?
        var closing: (() -> Void)?
    }

    /// The facts about the file's end.
    struct Conclusion {
        /// Whether every byte is in the partial file.
        var isComplete = false
        /// Whether a file existed and stays.
        var wasSkipped = false
        /// Whether it stays because the server has no other.
        var isUnchanged = false
        var file: FinishedFile?
        /// Why the file cannot be kept, known only after its body had ended.
        var refusal: SessionError?
        var keptPartPath: String?
        /// The valid bytes of the kept partial file; nil if none was kept.
        var keptBytes: Int64?
        /// Whether a later run can continue the kept partial file.
        var mayGoOn = false
        /// Whether no partial file is left to continue.
        var hasNoPart = false
        /// Whether no file is left at all.
        var hasNoFile = false
    }
}
