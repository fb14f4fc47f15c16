import LoopbackServer
import Testing

@testable import SessionCore

/// False ranges of bodies that are passed on in order.
extension EngineFalseRangeTests {
    @Test(
        "What is passed on fails where it cannot be taken back", arguments: stories.filter { !$0.proof.hasChecksum })
    func stream(story: Story) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", Self.falseRest(story.lie, story.proof))
        let harness = try EngineHarness()
        let id = harness.add(TransferRequest(url: server.url("/file")), sink: .stream)
        let end = try #require(harness.outcome(of: id))
        #expect(end.error != nil)
        let isRight = harness.streamed(id) == Array(Self.content[..<Int(Self.partSize)])
        #expect(isRight)
    }

    @Test(
        "Nothing false is passed on of what several connections bring",
        arguments: spread(countedStories, over: [4, 16]))
    func orderedStream(story: Story, connections: Int) throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/file", Self.partlyFalse(story.lie, story.proof) { $0 % 2 == 1 })
        let harness = try EngineHarness()
        let request = TransferRequest(url: server.url("/file"), headers: ["Accept-Encoding": "identity"])
        let id = harness.add(request, sink: .stream) {
            $0.segmentation = Segmentation(connections: .exactly(connections), minimumSegment: 64 << 10)
            $0.orderedWindow = 2 << 20
        }
        let end = try #require(harness.outcome(of: id))
        let isRight = Self.content.starts(with: harness.streamed(id))
        #expect(isRight)
        #expect(end.error != nil || harness.streamed(id).count == Self.content.count)
    }
}
