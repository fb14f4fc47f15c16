import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import netdash

/// What the program asks of the library, whose own defaults are for others.
@Suite("The program's session")
struct EffectsConfigurationTests {
    @Test("Patience, limits and name are the program's own")
    func values() throws {
        let fixture = try BridgeFixture {
            ($0.retries, $0.connectTimeout, $0.stallTimeout) = (7, 3, 4)
            ($0.maximumConcurrent, $0.maximumPerHost) = (2, 1)
        }
        defer { fixture.end() }
        let configuration = fixture.bridge.manager.configuration
        #expect(configuration.maximumRetries == 7)
        #expect(configuration.connectTimeout == 3 && configuration.stallTimeout == 4)
        #expect(configuration.maximumConcurrentTransfers == 2 && configuration.maximumConcurrentTransfersPerHost == 1)
        #expect(configuration.dataLimit == 64 << 20)
        #expect(configuration.additionalHeaders["User-Agent"] == "netdash/\(Product.version)")
        #expect(Settings().retries == 5)
    }

    @Test("A request goes out under the program's name")
    func userAgent() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/v1", .respond(.text("x")))
        fixture.bridge.add([fixture.job(.data, "/v1")])
        try #require(fixture.observer.waitForEnds())
        #expect(fixture.server.requests.first?.header("User-Agent") == "netdash/\(Product.version)")
    }
}
