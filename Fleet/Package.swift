// swift-tools-version: 6.2
import PackageDescription

/// Warnings stop the build in CI only, as in the package above.
let inContinuousIntegration = Context.environment["CI"] == "true"

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (inContinuousIntegration ? [.treatAllWarnings(as: .error)] : [])

/// A package of its own, so that netdash never depends on libpq.
let package = Package(
    name: "netdash-fleet",
    products: [
        .library(name: "FleetQueue", targets: ["FleetQueue"]),
        .executable(name: "netdash-fleet", targets: ["netdash-fleet"]),
    ],
    targets: [
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // The queue: schema, claims, leases and reports, and the loop of a worker without its transfers.
        .target(name: "FleetQueue", dependencies: ["CPostgres"], swiftSettings: strict),
        .executableTarget(name: "netdash-fleet", dependencies: ["FleetQueue"], swiftSettings: strict),
        // A worker that claims and reports without transferring: tests kill it, and the figures come from it.
        .executableTarget(
            name: "FleetSimulator", dependencies: ["FleetQueue"], path: "Tests/FleetSimulator", swiftSettings: strict),
        .testTarget(
            name: "FleetQueueTests", dependencies: ["FleetQueue", "netdash-fleet", "FleetSimulator"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
