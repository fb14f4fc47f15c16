// swift-format-ignore-file
// Made of Sources/SessionXML; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfXMLResponseSerializer() async throws {
        let completion = try await manager.data(
            for: request, options: TaskOptions(responseSerializer: XMLResponseSerializer()))
        print((completion.object as? XMLBody).map { _ in "XML" } ?? "nothing")
        _ = completion
    }
    mutating func exampleOfXMLFault() async throws {
        do throws(XMLFault) { _ = try XMLBody(Data("<a>".utf8)) } catch { print(error) }
    }
    mutating func exampleOfXMLBody() async throws {
        let body = try XMLBody(Data("<a><b/></a>".utf8))
        print(body)
        _ = body
    }
    mutating func exampleOfXMLTree() async throws {
        print(try XMLBody(Data("<a><b/></a>".utf8)).root.name)
    }
    mutating func exampleOfXMLTreeChild() async throws {
        print(try XMLBody(Data("<a>text</a>".utf8)).root.children.count)
    }
}
