import Testing

@testable import SessionCore

@Suite("Values behind one reference") struct SharedValueTests {
    private static let resumeData = ResumeData(url: "http://h/", headers: [:], partPath: "part", target: nil)

    private static func outcome() -> TransferOutcome {
        var outcome = TransferOutcome()
        outcome.error = SessionError(.timedOut, "Too late")
        outcome.resumeData = resumeData
        outcome.wasSkipped = true
        return outcome
    }

    @Test("A changed copy of an outcome leaves the other as it is, what lies behind references too")
    func outcomesAreValues() {
        let original = Self.outcome()
        var copy = original
        copy.error?.message = "Too slow"
        copy.resumeData?.partPath = "other"
        #expect(copy.error?.message == "Too slow" && copy.resumeData?.partPath == "other")
        #expect(original.error?.message == "Too late" && original.resumeData == Self.resumeData)
        copy.error = nil
        copy.resumeData = nil
        #expect(copy.error == nil && copy.resumeData == nil)
        #expect(original.error?.code == .timedOut && original.resumeData == Self.resumeData)
    }

    @Test("A completion says what the outcome says, and a change of it changes neither the outcome nor other copies")
    func completionsAreValues() {
        let outcome = SharedValue(Self.outcome())
        let values = TaskCompletion.Values(taking: outcome, serializer: DataResponseSerializer())
        let original = TaskCompletion(values)
        var copy = original
        copy.wasSkipped = false
        copy.resumeData = nil
        #expect(original.wasSkipped && original.resumeData == Self.resumeData)
        #expect(!copy.wasSkipped && copy.resumeData == nil)
        #expect(outcome.value.wasSkipped && outcome.value.resumeData == Self.resumeData)
    }
}
