/// A response head as it came.
struct RawHead {
    let statusLine: String
    let lines: [String]

    init(_ text: String) {
        let all = text.split(separator: "\r\n").map(String.init)
        statusLine = all.first ?? ""
        lines = Array(all.dropFirst())
    }

    var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    subscript(name: String) -> String? { values(name).first }

    func values(_ name: String) -> [String] {
        lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return line[line.index(after: colon)...].drop { $0 == " " }.description
        }
    }
}
