import Foundation
import LoopbackServer

@testable import Dashboard
@testable import netdash

/// A bridge with a session of its own, a server to talk to, and a folder for what it saves.
struct BridgeFixture {
    let server = LoopbackServer()
    let observer = EffectsObserver()
    let folder: URL
    let bridge: SessionBridge

    init(_ configure: (inout Settings) -> Void) throws {
        try server.start()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = Settings()
        settings.directory = folder.path
        configure(&settings)
        bridge = SessionBridge(settings: settings, printsBodies: false, observer: observer)
    }

    /// To be called at the end of every test that uses it.
    func end() {
        _ = bridge.close()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func job(_ kind: Job.Kind, _ path: String) -> Job { Job(kind: kind, url: server.url(path)) }
}
