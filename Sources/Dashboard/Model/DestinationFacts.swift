/// What lies where a download is to go.
package struct DestinationFacts: Sendable, Equatable {
    /// What has the name that the file is to get.
    package enum Occupant: Sendable, Equatable {
        case file
        /// A folder or something else that no file can replace.
        case obstacle
    }

    package var occupant: Occupant?
    /// Bytes of an earlier run to go on from.
    package var keptBytes: Int64 = 0

    package init(occupant: Occupant? = nil, keptBytes: Int64 = 0) {
        self.occupant = occupant
        self.keptBytes = keptBytes
    }

    /// What a download will do about it; empty when there is nothing to say.
    package func note(policy: Job.IfExists, continues: Bool, units: Units) -> SafeText {
        let bytes = SizeText.short(keptBytes, units: units)
        let kept: SafeText = keptBytes == 0 ? "" : continues ? "continues from " + bytes : "starts over"
        switch occupant {
        case nil:
            guard keptBytes > 0 else { return "" }
            return continues
                ? "a part of this file is there: will continue from " + bytes
                : bytes + " of this file are there: will start over"
        case .obstacle: return "a folder or device has this name: will fail"
        case .file: break
        }
        let file: SafeText = "a file with this name exists: "
        switch policy {
        case .skip: return file + "will be skipped"
        case .fail: return file + "will fail"
        case .rename: return file + ["will get a number", kept].joined(by: ", ")
        case .overwrite: return file + ["will replace it", kept].joined(by: ", ")
        }
    }
}
