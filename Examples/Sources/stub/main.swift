// A program's own code, tested without a server: what it sends is looked at, and what it gets is written down here.

import Foundation
import SessionCore
import SessionHTTP
import SessionStubs

/// What a program has: a client of some service.
struct WeatherClient {
    struct Report: Decodable, Sendable, Equatable {
        let city: String
        let degrees: Double
    }

    let manager: SessionManager

    func report(for city: String) async throws -> Report {
        let http = try HTTPManager(baseURL: "https://weather.example.org/v1", manager: manager)
        return try await http.get("report", parameters: ["city": "\(city)"], as: .decodable(Report.self))
    }
}

let server = StubServer()
let client = WeatherClient(manager: SessionManager(stubs: server))

server.answer("/v1/report", with: .json(#"{"city":"Oslo","degrees":-3.5}"#))
let report = try await client.report(for: "Oslo")
precondition(report == WeatherClient.Report(city: "Oslo", degrees: -3.5))
precondition(server.requests[0].url == "https://weather.example.org/v1/report?city=Oslo")

server.answer("/v1/report", with: .text("closed for today", status: 503))
do {
    _ = try await client.report(for: "Oslo")
    preconditionFailure("A status of 503 is an error")
} catch let error as ResponseSerializationError {
    precondition(error.statusCode == 503)
    print("Both tests passed; the second one says: \(error)")
}
