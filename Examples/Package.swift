// swift-tools-version: 6.2
import PackageDescription

/// Programs that use the library as any other package does: `script/examples` builds and runs each of them.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "netdash", path: "..")],
    targets: ["download", "upload", "token-refresh", "stub", "fetch"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "SessionCore", package: "netdash")])
    },
    swiftLanguageModes: [.v6]
)
