/// What an upload could go on with.
extension DetailsContent {
    /// What has arrived, what the server says of it, and whether the body can be sent again.
    var uploadResume: [DetailLine] {
        let sent = SizeText.long(row.moved, units: model.units)
        let whole = row.expected.map { " of " + SizeText.long($0, units: model.units) } ?? ""
        let offset = confirmedOffset.map { SizeText.long($0, units: model.units) + ", named by the server" }
        let facts: [(SafeText, SafeText)] = [
            ("Arrived", sent + whole), ("Offset", offset ?? "none: the server has named none to go on from"),
            ("Body", details.uploadSource), ("Send again", details.uploadRepetition),
        ]
        return facts.filter { !$0.1.isEmpty }.map { DetailLine(label: $0.0, text: $0.1) }
    }

    /// What the latest answer with an `Upload-Offset` says, interim ones included.
    private var confirmedOffset: Int64? {
        let answers = details.earlierAnswers.map(\.headers) + [details.responseHeaders]
        let offsets = answers.joined().filter { $0.name.string.lowercased() == "upload-offset" }
        return offsets.last.flatMap { Int64($0.value.string) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
