// swift-tools-version: 6.2
import PackageDescription

/// Warnings stop the build in CI only, as in the package above.
let inContinuousIntegration = Context.environment["CI"] == "true"

/// Whether the program can download: tests of the queue leave that out.
///
/// Downloads need SessionCore, whose build takes many times as long as the queue's.
let hasTransfers = Context.environment["NETDASH_FLEET_QUEUE_ONLY"] != "true"

/// The name under which the package above is compiled, whose modules show this one what they show each other.
///
/// It is the name of the checkout's folder in small letters, as an identifier.
let packageAbove: String = {
    let folder = (Context.packageDirectory.split(separator: "/").dropLast().last ?? "").lowercased()
    let name = String(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
}()

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (inContinuousIntegration ? [.treatAllWarnings(as: .error)] : [])
    + (hasTransfers ? [.define("FLEET_TRANSFERS"), .unsafeFlags(["-package-name", packageAbove])] : [])

/// What carries out a worker's jobs: SessionCore's downloads.
let transfers: [Target] =
    hasTransfers
    ? [
        .target(
            name: "FleetTransfers",
            dependencies: [
                "FleetQueue", .product(name: "SessionCore", package: "netdash"),
                .product(name: "ServiceWire", package: "netdash"),
            ],
            packageAccess: !hasTransfers,
            swiftSettings: strict),
        // The queue as a service that dashboards attach to.
        .target(
            name: "FleetWindow",
            dependencies: ["FleetQueue", .product(name: "ServiceWire", package: "netdash")],
            packageAccess: !hasTransfers,
            swiftSettings: strict),
        // Times the answers of a window; the figures come from it.
        .executableTarget(
            name: "FleetPages",
            dependencies: ["FleetQueue", "FleetWindow", .product(name: "ServiceWire", package: "netdash")],
            path: "Tests/FleetPages", packageAccess: !hasTransfers,
            swiftSettings: strict),
    ] : []
let worker: [Target.Dependency] = hasTransfers ? ["FleetTransfers", "FleetWindow"] : []
let loopback: [Target.Dependency] =
    hasTransfers
    ? [.product(name: "LoopbackServer", package: "netdash"), .product(name: "ServiceWire", package: "netdash")] : []

/// A package of its own, so that netdash never depends on libpq.
let package = Package(
    name: "netdash-fleet",
    products: [.executable(name: "netdash-fleet", targets: ["netdash-fleet"])],
    dependencies: hasTransfers ? [.package(name: "netdash", path: "..")] : [],
    targets: [
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // The queue: schema, claims, leases and reports, and the loop of a worker without its transfers.
        .target(
            name: "FleetQueue", dependencies: ["CPostgres"], packageAccess: !hasTransfers,
            swiftSettings: strict),
        .executableTarget(
            name: "netdash-fleet", dependencies: ["FleetQueue"] + worker,
            exclude: hasTransfers ? [] : ["Commands/FleetCommand+Worker.swift", "Commands/FleetCommand+Window.swift"],
            packageAccess: !hasTransfers,
            swiftSettings: strict),
        // A worker that claims and reports without transferring: tests kill it, and the figures come from it.
        .executableTarget(
            name: "FleetSimulator", dependencies: ["FleetQueue"], path: "Tests/FleetSimulator",
            packageAccess: !hasTransfers,
            swiftSettings: strict),
        .testTarget(
            name: "FleetQueueTests",
            dependencies: ["FleetQueue", "netdash-fleet", "FleetSimulator"] + worker + loopback,
            exclude: hasTransfers ? [] : ["Transfers", "Window"], packageAccess: !hasTransfers,
            swiftSettings: strict),
    ] + transfers,
    swiftLanguageModes: [.v6]
)
