// swift-tools-version: 6.2
import PackageDescription

/// Warnings stop the build in CI only, so that a newer compiler never breaks somebody's checkout.
let inContinuousIntegration = Context.environment["CI"] == "true"

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (inContinuousIntegration ? [.treatAllWarnings(as: .error)] : [])

/// The linker that comes with the toolchain: 0.35 s of processor time for each rebuild instead of gold's 0.62 s.
///
/// A release has packed relocations, which the C library reads from 2.36 on: 38.3 MB instead of 40.7 MB. Flags
/// like these bar a product from being a dependency, so only the program has them: the library's users build none of it.
let ownLinker: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"], .when(platforms: [.linux], configuration: .release)),
]

/// Programs that show how the library is used: tests run them, and `Examples/` is also a package of its own.
let examples: [String: [String]] = [
    "download": ["SessionCore"], "upload": ["SessionCore"], "fetch": ["SessionCore"],
    "token-refresh": ["SessionCore", "SessionStubs"], "stub": ["SessionCore", "SessionHTTP", "SessionStubs"],
]

/// The part of the tests that is built, where not all are: each costs minutes, and none is needed twice in one check.
///
/// - `threads`: the library's tests that have several threads, for ThreadSanitizer. Without the program, and without texts and
///   source files, whose tests have one thread.
/// - `others`: the rest.
let part = Context.environment["NETDASH_TESTS"]
let isLibraryAlone = part == "threads"

/// What is left out of the library's tests in each part; a folder that none names belongs to both.
let leftOut: [String: [String]] = [
    "threads": ["Documentation", "Fuzzing", "Rules", "Serialization"],
    "others": [
        "Engine", "HTTP", "Manager", "Mirrors", "Requests", "Security", "Segments", "Storage", "TaskStore", "Tasks",
        "Transport",
    ],
]

/// What tests of documents and of source files need.
let documents: [Target.Dependency] =
    isLibraryAlone
    ? []
    : ["SourceTestSupport", "DocumentationExamples"]
        + examples.keys.sorted().map { .byName(name: "example-" + $0) }

let package = Package(
    name: "netdash",
    products: [
        .library(name: "SessionCore", targets: ["SessionCore"]),
        .library(name: "SessionHTTP", targets: ["SessionHTTP"]),
        .library(name: "SessionStubs", targets: ["SessionStubs"]),
        .library(name: "SessionXML", targets: ["SessionXML"]),
        .executable(name: "netdash", targets: ["netdash"]),
        // For the benchmarks, which are packages of their own.
        .library(name: "LoopbackServer", targets: ["LoopbackServer"]),
        // For `Fleet/`, whose window is a service too. Without unsafe flags, which bar a product from other packages.
        .library(
            name: "ServiceWire", targets: ["SessionSupport", "TransferValues", "TransferService", "ServiceWire"]),
    ],
    targets: [
        // mimalloc's source stands beside it: its library has another name in each release of Debian.
        .target(
            name: "CAllocator",
            exclude: ["mimalloc"],
            cSettings: [
                .define("NETDASH_USES_MIMALLOC", .when(configuration: .release)),
                .headerSearchPath("mimalloc/include"),
            ]),
        .target(name: "CLinux"),
        .target(name: "CBuildStamp"),
        // Two libraries of which it has no header, because they are loaded at run time.
        .target(name: "CRPCTransport", linkerSettings: [.linkedLibrary("z")]),
        // The program's alone: a user of the library may want Unicode's tables.
        .target(name: "CUnicodeTables"),
        .target(
            name: "CCurl",
            linkerSettings: ["curl", "ssl", "crypto", "psl", "z", "brotlidec", "zstd"].map { .linkedLibrary($0) }),
        .target(
            name: "CNcurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        .target(name: "CSessionSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // What every other target may use: locks, threads, text helpers, redaction.
        .target(name: "SessionSupport", dependencies: ["CLinux"], swiftSettings: strict),
        // What a transfer is, as values that the library, the bridge and the dashboard share.
        .target(name: "TransferValues", dependencies: ["SessionSupport"], swiftSettings: strict),
        .target(
            name: "SessionCore",
            dependencies: ["CCurl", "CLinux", "CSessionSQLite", "SessionSupport", "TransferValues"],
            swiftSettings: strict),
        // A manager with a base URL and a function for each method, and what makes requests of parameters.
        .target(name: "SessionHTTP", dependencies: ["SessionCore", "SessionSupport"], swiftSettings: strict),
        // Answers in the place of servers, for tests of programs.
        .target(name: "SessionStubs", dependencies: ["SessionCore", "SessionSupport"], swiftSettings: strict),
        // XML of responses, apart: whoever needs none, such as the program, links no reader of it.
        .target(name: "SessionXML", dependencies: ["SessionCore"], swiftSettings: strict),
        // Transfers behind one protocol: commands, questions and news as values, and the service in this process.
        .target(
            name: "TransferService",
            dependencies: ["CAllocator", "CLinux", "SessionCore", "SessionSupport", "TransferValues"],
            swiftSettings: strict),
        // The same protocol over a socket, for windows and scripts of other processes.
        .target(
            name: "ServiceWire", dependencies: ["CLinux", "SessionSupport", "TransferService", "TransferValues"],
            swiftSettings: strict),
        // aria2's interface over tasks as values: it can reach neither the library nor a socket.
        .target(name: "AriaRPC", dependencies: ["SessionSupport", "TransferValues"], swiftSettings: strict),
        // That interface over HTTP and WebSockets.
        .target(
            name: "RPCListener", dependencies: ["AriaRPC", "CLinux", "CRPCTransport", "SessionSupport"],
            swiftSettings: strict),
        // What the dashboard knows and decides; it can reach neither the library nor a terminal.
        .target(name: "Dashboard", dependencies: ["SessionSupport", "TransferValues"], swiftSettings: strict),
        // The screens, apart from what they show: after a change to one of them the compiler reads a sixth as much.
        .target(name: "DashboardView", dependencies: ["Dashboard"], swiftSettings: strict),
        .target(name: "LoopbackServer", dependencies: ["CLinux", "SessionSupport"], swiftSettings: strict),
        .executableTarget(
            name: "netdash",
            dependencies: [
                "AriaRPC", "Dashboard", "DashboardView", "RPCListener", "ServiceWire", "SessionSupport",
                "TransferService", "LoopbackServer",
                "CAllocator", "CBuildStamp", "CNcurses", "CLinux", "CUnicodeTables",
            ],
            swiftSettings: strict,
            linkerSettings: ownLinker),
        // A program that tests kill, to see what its saved session is worth afterwards, and that leaves while it works.
        .executableTarget(
            name: "StoreCrasher",
            dependencies: ["SessionCore"],
            path: "Tests/StoreCrasher",
            swiftSettings: strict),
        // A terminal as tests see it, for those of the view and those of the real program.
        .target(name: "TerminalTestSupport", path: "Tests/TerminalTestSupport", swiftSettings: strict),
        // Random texts for parsers of foreign text.
        .target(name: "FuzzTestSupport", path: "Tests/FuzzTestSupport", swiftSettings: strict),
        // The arrows between the folders of a module, as its source says them.
        .target(name: "SourceTestSupport", path: "Tests/SourceTestSupport", swiftSettings: strict),
        // What documents and comments show, in a module that sees what is public alone.
        .target(
            name: "DocumentationExamples", dependencies: ["SessionCore", "SessionHTTP", "SessionStubs", "SessionXML"],
            path: "Tests/DocumentationExamples", packageAccess: false, swiftSettings: strict),
        .testTarget(name: "SessionSupportTests", dependencies: ["SessionSupport"], swiftSettings: strict),
        .testTarget(
            name: "SessionCoreTests",
            dependencies: [
                "SessionSupport", "SessionCore", "SessionHTTP", "SessionStubs", "SessionXML", "LoopbackServer", "CCurl",
                "CLinux", "FuzzTestSupport", "StoreCrasher",
            ] + documents,
            exclude: part.flatMap { leftOut[$0] } ?? [],
            swiftSettings: strict),
        // What has one thread: values, decisions and state machines.
        .testTarget(
            name: "SessionValueTests",
            dependencies: ["SessionSupport", "SessionCore", "SessionHTTP", "CCurl", "FuzzTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AriaRPCTests",
            dependencies: ["AriaRPC", "CRPCTransport", "RPCListener", "SessionSupport", "TransferValues"],
            exclude: ["Answers"], swiftSettings: strict),
        .testTarget(
            name: "LoopbackServerTests", dependencies: ["SessionSupport", "LoopbackServer", "CLinux"],
            swiftSettings: strict),
        // The scenes, rows and random cases that the tests of the dashboard and of the program share.
        .target(
            name: "DashboardTestSupport", dependencies: ["Dashboard", "FuzzTestSupport"],
            path: "Tests/DashboardTestSupport",
            swiftSettings: strict),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Dashboard", "DashboardView", "TransferValues", "DashboardTestSupport", "SourceTestSupport",
            ],
            exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "NetdashTests",
            dependencies: [
                "AriaRPC", "SessionSupport", "Dashboard", "DashboardView", "netdash", "ServiceWire", "SessionCore",
                "TransferService", "TransferValues", "LoopbackServer", "CLinux", "DashboardTestSupport",
                "FuzzTestSupport",
                "SourceTestSupport", "TerminalTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["LoopbackServer", "CLinux", "TerminalTestSupport"],
            exclude: ["Golden", "Support/README.md", "Support/http2_server.py"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

if isLibraryAlone {
    let others = [
        "AriaRPC", "CAllocator", "CBuildStamp", "CNcurses", "CRPCTransport", "Dashboard", "DashboardView",
        "RPCListener", "ServiceWire", "TransferService", "netdash", "AriaRPCTests", "TerminalTestSupport",
        "DashboardTestSupport", "DashboardTests", "NetdashTests", "EndToEndTests", "SessionValueTests",
        "SourceTestSupport", "DocumentationExamples",
    ]
    package.targets.removeAll { others.contains($0.name) }
    package.products.removeAll { ["netdash", "ServiceWire"].contains($0.name) }
} else {
    package.targets += examples.sorted { $0.key < $1.key }.map { name, modules in
        // What is public is all that a program of another package sees.
        .executableTarget(
            name: "example-" + name, dependencies: modules.map { .byName(name: $0) }, path: "Examples/Sources/" + name,
            packageAccess: false, swiftSettings: strict)
    }
}

if part == "others" {
    package.targets.removeAll { ["SessionSupportTests", "LoopbackServerTests"].contains($0.name) }
}
