import Foundation
import Testing

@testable import SessionCore
@testable import SessionHTTP

/// The table of defaults is that of the code.
@Suite("Defaults in the documentation") struct DefaultsTests {
    /// Fresh values of the types that the table is about, and what of them it leaves out because nobody sets it.
    private static var values: [(value: Any, leavesOut: Set<String>)] {
        [
            (SessionConfiguration(), ["restoresUnstartedTasks", "requestRates", "makesCollections"]),
            (
                RequestOptions(),
                [
                    "proxyExceptions", "connections", "addressFamily", "urlScheme", "hostCredentials", "signing",
                    "bodyDigest", "partSize",
                    "leastSpeed", "retriedStatuses", "expectedStatuses", "isTriedOnce", "transport",
                    "keepsRedirects", "allowsPlainRedirects", "redirectLimit", "redirectMethods", "withheldFields",
                ]
            ), (TaskOptions(), ["id", "isKept", "entry", "position"]), (RequestRetrier(), []),
            (TransferRequest(url: "https://example.org"), ["url", "headers", "body", "options", "uploadPlan"]),
            (DownloadTarget(folder: "/"), ["folder"]), (ResponseValidation(), []), (QueryEncoding(), []),
            (JSONResponseSerializer(), ["validation"]), (SecurityPolicy(), ["pinnedKeys"]),
            (RequestSettings(), ["headers", "queryEncoding"]),
        ]
    }

    private static func rows() throws -> [String: String] {
        let path = "Sources/SessionCore/SessionCore.docc/Defaults.md"
        let text = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
        var rows: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let columns = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let name = columns[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            #expect(rows.updateValue(columns[2], forKey: name) == nil, "\(name) stands there twice")
        }
        return rows
    }

    /// A value as the table writes it.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { text(of: $0.value) } ?? "none"
        }
        switch value {
        case let value as Bool: return value ? "yes" : "no"
        case let value as Int: return value == .max ? "none" : "\(value)"
        case let value as Double: return value == value.rounded() ? "\(Int(value))" : "\(value)"
        case let value as Set<Int>: return value == Set(200...299) ? "200...299" : list(value.sorted().map { "\($0)" })
        case let value as Set<String>: return list(value.sorted())
        case let value as Set<Data>: return value.isEmpty ? "none" : "\(value.count)"
        case let value as [Any]: return value.isEmpty ? "none" : "\(value.count)"
        case let value as HeaderFields: return list(value.map(\.name))
        case let value as Segmentation:
            return value == Segmentation(connections: .exactly(1)) ? "one connection" : "\(value)"
        case let value as RateLimits: return value.isUnlimited ? "none" : "\(value)"
        case let value as JSONSerialization.ReadingOptions: return value.isEmpty ? "none" : "\(value.rawValue)"
        default: return "\(value)"
        }
    }

    /// The properties of a value, also of one that shares them among its copies.
    private static func properties(of value: Any) -> Mirror.Children {
        let properties = Mirror(reflecting: value).children
        guard let only = properties.first, only.label == "shared" else { return properties }
        return Mirror(reflecting: only.value).children
    }

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.joined(separator: ", ")
    }

    @Test("Each property of a value stands in the table with the value that it has")
    func values() throws {
        var rows = try Self.rows()
        for (value, leavesOut) in Self.values {
            for child in Self.properties(of: value) {
                let label = child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? ""
                guard !leavesOut.contains(label) else { continue }
                let name = "\(type(of: value))/\(label)"
                let row = rows.removeValue(forKey: name)
                #expect(row == Self.text(of: child.value), "\(name)")
            }
        }
        // What is kept of it is more than what is set.
        let resumption = rows.removeValue(forKey: "TransferRequest/uploadResumption")
        #expect(resumption == TransferRequest(url: "https://example.org").uploadResumption.rawValue)
        for name in rows.keys where !name.hasPrefix("SessionManager/") {
            Issue.record("\(name) stands in the table, and nothing has it")
        }
    }

    @Test("So does what a manager has")
    func managers() throws {
        let rows = try Self.rows()
        let manager = SessionManager()
        let values: [(String, Any)] = [
            ("completionQueue", manager.completionQueue as Any), ("completionGroup", manager.completionGroup as Any),
            ("notificationQueue", manager.notificationQueue as Any),
            ("postsNotifications", manager.postsNotifications), ("responseCache", manager.responseCache as Any),
            ("interceptors", manager.interceptors), ("monitors", manager.monitors),
            ("reachabilityManager", manager.reachabilityManager === ReachabilityManager.shared ? "shared" : "another"),
        ]
        for (name, value) in values { #expect(rows["SessionManager/" + name] == Self.text(of: value), "\(name)") }
        #expect(rows.keys.filter { $0.hasPrefix("SessionManager/") }.count == values.count)
    }
}
