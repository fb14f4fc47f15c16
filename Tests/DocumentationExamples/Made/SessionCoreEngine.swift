// swift-format-ignore-file
// Made of Sources/SessionCore/Engine; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfResponseDisposition() async throws {
        manager.onResponse = { _, head in head.statusCode == 200 ? .allow : .cancel }
    }
}
