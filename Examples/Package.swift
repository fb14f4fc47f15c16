// swift-tools-version: 6.2
import PackageDescription

/// The programs, and the products that each of them uses.
let examples: [String: [String]] = [
    "download": ["SessionCore"], "upload": ["SessionCore"], "fetch": ["SessionCore"],
    "token-refresh": ["SessionCore", "SessionStubs"], "stub": ["SessionCore", "SessionHTTP", "SessionStubs"],
]

/// Programs that use the library as any other package does: `script/examples` builds and runs each of them.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "netdash", path: "..")],
    targets: examples.sorted { $0.key < $1.key }.map { name, modules in
        .executableTarget(name: name, dependencies: modules.map { .product(name: $0, package: "netdash") })
    },
    swiftLanguageModes: [.v6]
)
