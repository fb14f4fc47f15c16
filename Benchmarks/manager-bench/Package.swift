// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that measuring never gets in the way of building netdash.
let package = Package(
    name: "ManagerBench",
    dependencies: [.package(name: "netdash", path: "../..")],
    targets: [
        .executableTarget(
            name: "ManagerBench",
            dependencies: [
                .product(name: "SessionCore", package: "netdash"),
                .product(name: "LoopbackServer", package: "netdash"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
