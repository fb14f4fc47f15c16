import Testing

/// Which folder may import what.
///
/// Folders alone enforce nothing, so this table does: dependencies point one way, and C stays behind the folders
/// that own it.
@Suite("Import table", .timeLimit(.minutes(1)))
struct ImportTableTests {
    /// Folder → modules; the longest folder that holds a file counts, and a folder without a row fails.
    static let table: [String: Set<String>] = [
        // What every module may use.
        "Sources/SessionSupport": ["CLinux", "Glibc"],
        // The values that library and dashboard share.
        "Sources/TransferValues": ["Synchronization"],
        // The library, from the bottom up. The first five know no Foundation.
        "Sources/SessionCore/Words": [],
        "Sources/SessionCore/Policy": [],
        "Sources/SessionCore/Engine": ["Glibc"],
        "Sources/SessionCore/Storage": ["CLinux", "CSessionSQLite", "Glibc"],
        "Sources/SessionCore/Transport": ["CCurl", "CLinux", "Glibc"],
        "Sources/SessionCore/Coding": ["CCurl", "Foundation"],
        "Sources/SessionCore/Identity": ["CCurl"],
        "Sources/SessionCore/Security": ["CCurl", "Foundation", "FoundationNetworking"],
        "Sources/SessionCore/Reachability": ["CLinux", "Foundation", "Glibc"],
        "Sources/SessionCore/Serialization": ["Foundation", "FoundationNetworking"],
        "Sources/SessionCore/Requests": ["Foundation"],
        "Sources/SessionCore/Tasks": ["Foundation", "FoundationNetworking"],
        "Sources/SessionCore/Session": ["Dispatch", "Foundation", "FoundationNetworking", "TransferValues"],
        "Sources/SessionCore/Manager": ["Dispatch", "Foundation", "FoundationNetworking"],
        // What a program may do without: requests of parameters, and answers for its tests.
        "Sources/SessionHTTP": ["Dispatch", "Foundation", "Glibc", "SessionCore"],
        "Sources/SessionStubs": ["Dispatch", "Foundation", "SessionCore"],
        // What needs Foundation's reader of XML, apart from everything that does not.
        "Sources/SessionXML": ["Foundation", "FoundationXML", "SessionCore"],
        // The server of demo, tests and benchmarks: bare sockets.
        "Sources/LoopbackServer": ["CLinux", "Glibc"],
        // aria2's interface is pure; what puts it on the wire knows no task.
        "Sources/AriaRPC": ["TransferValues"],
        "Sources/RPCListener/Words": [],
        "Sources/RPCListener": ["AriaRPC", "CLinux", "CRPCTransport", "Dispatch", "Glibc"],
        // What the dashboard decides and draws is pure.
        "Sources/Dashboard": ["TransferValues"],
        "Sources/DashboardView": ["Dashboard"],
        // Transfers as a service: what it says, what it needs of the system, and the service in this process, which alone
        // knows the library.
        "Sources/TransferService/Words": [],
        "Sources/TransferService/System": ["CLinux", "Glibc"],
        "Sources/TransferService/Service": ["Foundation", "Glibc", "TransferValues"],
        "Sources/TransferService/Local": ["CAllocator", "CLinux", "Foundation", "Glibc", "SessionCore"],
        "Sources/ServiceWire/Words": ["TransferValues"],
        "Sources/ServiceWire/Coding": [],
        "Sources/ServiceWire/Frames": ["CLinux", "Glibc", "TransferService", "TransferValues"],
        "Sources/ServiceWire/Server": ["CLinux", "Glibc", "TransferService", "TransferValues"],
        "Sources/ServiceWire/Client": ["Foundation", "TransferService", "TransferValues"],
        // The program, from the bottom up.
        "Sources/netdash/Words": [],
        "Sources/netdash/System": ["CBuildStamp", "CLinux", "Glibc"],
        "Sources/netdash/Options": ["AriaRPC", "Foundation", "Glibc"],
        "Sources/netdash/CommandLine": [],
        "Sources/netdash/Configuration": ["Glibc"],
        "Sources/netdash/InputLists": ["CLinux", "Foundation", "Glibc"],
        "Sources/netdash/Watch": ["CLinux", "Foundation", "Glibc"],
        "Sources/netdash/Terminal": ["CLinux", "CNcurses", "Glibc"],
        "Sources/netdash/Demo": ["Foundation", "Glibc", "LoopbackServer"],
        "Sources/netdash/Output": ["Glibc"],
        "Sources/netdash/Interactive": ["Glibc"],
        "Sources/netdash/Notifier": ["CLinux", "Foundation", "Glibc"],
        "Sources/netdash/Doctor": ["Glibc", "ServiceWire"],
        "Sources/netdash/Service": ["CLinux", "Foundation", "Glibc", "ServiceWire"],
        "Sources/netdash/RPC": ["AriaRPC", "Foundation", "Glibc", "RPCListener"],
        "Sources/netdash/Effects": ["CAllocator", "CLinux", "Foundation", "Glibc", "ServiceWire"],
        "Sources/netdash/Control": ["CLinux", "Foundation", "Glibc", "ServiceWire"],
        "Sources/netdash/Program": ["CLinux", "DashboardView", "Foundation", "Glibc"],
        // The queue of many machines, a package of its own: libpq stays behind one folder.
        "Fleet/Sources/FleetQueue/Words": [],
        "Fleet/Sources/FleetQueue/Schema": [],
        "Fleet/Sources/FleetQueue/Database": ["CPostgres", "Glibc"],
        "Fleet/Sources/FleetQueue/Jobs": ["Foundation", "Glibc"],
        "Fleet/Sources/FleetQueue/Queue": ["Foundation"],
        "Fleet/Sources/FleetQueue/Worker": ["Glibc"],
        "Fleet/Sources/FleetTransfers": [
            "Dispatch", "FleetQueue", "Foundation", "Glibc", "SessionCore", "Synchronization", "TransferValues",
        ],
        "Fleet/Sources/FleetWindow": ["Dispatch", "FleetQueue", "Foundation", "ServiceWire", "TransferService"],
        "Fleet/Sources/netdash-fleet": ["FleetQueue", "FleetTransfers", "FleetWindow", "Foundation", "Glibc"],
    ]

    @Test("A23: every file imports only what its folder may")
    func everyFileImportsOnlyWhatItsFolderMay() throws {
        let files = try SourceTree.files(under: "Sources") + SourceTree.files(under: "Fleet/Sources")
        try #require(files.count > 20, "The sources were not found")
        for file in files {
            guard let surplus = Self.surplus(of: file.imports, in: file.path) else {
                Issue.record("\(file): its folder has no row in the import table")
                continue
            }
            #expect(surplus.isEmpty, "\(file) must not import \(surplus)")
        }
    }

    @Test(
        "An import that the table does not allow is found",
        arguments: [
            ("Sources/Dashboard/Model/Wrong.swift", "SessionCore"), ("Sources/Dashboard/Update/Wrong.swift", "Glibc"),
            ("Sources/DashboardView/Table/Wrong.swift", "CNcurses"),
            ("Sources/SessionCore/Policy/Wrong.swift", "Foundation"),
            ("Sources/SessionCore/Session/Wrong.swift", "CCurl"), ("Sources/SessionSupport/Wrong.swift", "SessionCore"),
            ("Sources/netdash/Output/Wrong.swift", "SessionCore"),
            ("Sources/TransferService/Local/Wrong.swift", "CNcurses"),
            ("Sources/TransferService/Local/Wrong.swift", "Dashboard"),
        ])
    func wrongImportIsFound(path: String, module: String) {
        #expect(Self.surplus(of: ["Swift", module], in: path) == [module])
    }

    @Test("A folder without a row is found")
    func unknownFolderIsFound() { #expect(Self.surplus(of: [], in: "Sources/Elsewhere/File.swift") == nil) }

    /// What a file imports that the table does not allow; nil when its folder has no row.
    private static func surplus(of imports: [String], in path: String) -> [String]? {
        guard let allowed = allowedImports(of: path) else { return nil }
        // The standard library is everywhere; only files that need a hidden part of it say so. Everything may use the
        // common tools, and all of the program may use what the dashboard decides and what transfers are asked.
        var common: Set = ["Swift"]
        if !path.hasPrefix("Sources/SessionSupport/") { common.insert("SessionSupport") }
        if path.hasPrefix("Sources/netdash/") { common.formUnion(["Dashboard", "TransferService"]) }
        return Set(imports).subtracting(allowed).subtracting(common).sorted()
    }

    @Test("C libraries, the library and the server each have their owners, and no others")
    func everyModuleHasItsOwners() {
        #expect(Self.owners(of: "CCurl") == ["Coding", "Identity", "Security", "Transport"])
        #expect(Self.owners(of: "CSessionSQLite") == ["Storage"])
        #expect(Self.owners(of: "CNcurses") == ["Terminal"])
        #expect(Self.owners(of: "CRPCTransport") == ["RPCListener"])
        #expect(Self.owners(of: "CAllocator") == ["Effects", "Local"])
        #expect(
            Self.owners(of: "SessionCore")
                == ["FleetTransfers", "Local", "SessionHTTP", "SessionStubs", "SessionXML"])
        #expect(Self.owners(of: "FoundationXML") == ["SessionXML"])
        #expect(Self.owners(of: "LoopbackServer") == ["Demo"])
        #expect(Self.owners(of: "CPostgres") == ["Database"])
    }

    @Test(
        "A line's module is found whatever stands around it",
        arguments: [
            ("import Glibc", "Glibc"), ("public import Foundation", "Foundation"),
            ("@testable import netdash", "netdash"), ("@preconcurrency public import CCurl", "CCurl"),
            ("    import struct Foundation.URL // only this", "Foundation"),
        ])
    func moduleIsFound(line: String, module: String) {
        #expect(SourceTree.importedModule(of: line) == module)
    }

    @Test("What only looks like an import is none", arguments: ["/// import Glibc", "let import = 1", "", "important"])
    func otherLinesImportNothing(line: String) {
        #expect(SourceTree.importedModule(of: line) == nil)
    }

    /// The modules a file may import, by the longest folder of the table that holds it.
    static func allowedImports(of path: String) -> Set<String>? {
        table.filter { path.hasPrefix($0.key + "/") }.max { $0.key.count < $1.key.count }?.value
    }

    /// The names of the folders that may import a module.
    static func owners(of module: String) -> [String] {
        table.filter { $0.value.contains(module) }.compactMap { $0.key.split(separator: "/").last.map(String.init) }
            .sorted()
    }
}
