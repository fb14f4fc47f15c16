/// The options of downloads, uploads and request bodies.
extension JobOption {
    package static let maximumTime = record("max-time")
    package static let maximumFileSize = record("max-filesize")
    package static let leastSpeed = record("speed-limit")
    package static let findChecksum = record("find-checksum")
    package static let connections = record("connections")
    package static let minimumSegment = record("min-split")
    package static let mirror = record("mirror")
    package static let length = record("length")
    package static let resumable = record("resumable")
    package static let form = record("form")
    package static let urlEncoded = record("data-urlencode")
    package static let jsonBody = record("json-body")

    static var ofFiles: [JobOption] {
        [
            JobOption(
                "remote-time", "give the file the time of its last change at the server", letter: "R", of: .downloads,
                againstStreams: "sets the time of a file, and standard output is none", curl: ["--remote-time", "-R"]
            ) { $0.keepsRemoteTime = true },
            JobOption(
                "find-checksum", "look for a checksum beside the file, and say when there is none", of: .downloads,
                againstStreams: "comes too late for what was written to standard output", curl: []
            ) { $0.findsChecksum = true },
            // curl gives each file one connection.
            JobOption(
                "connections", .connections,
                "connections for a download, 1 to 16; auto for more only while they help (auto)", letter: "x",
                of: .downloads, curl: []
            ) { $0.segmentation.connections = $1 },
            JobOption(
                "min-split", .segment, "the least bytes that a connection is made for (1M)", letter: "k",
                of: .downloads,
                curl: [], aria: ["min-split-size"]
            ) { $0.segmentation.minimumSegment = $1 },
            JobOption(
                "mirror", .mirror, "another place of the same file, repeatable; all URLs beside it are further ones",
                of: .downloads, memory: .ofTask, isRepeatable: true,
                againstStreams: "needs a file in which places are compared, and standard output is none", curl: []
            ) { $0.mirrors.append($1) },
            JobOption(
                "length", .size, "the bytes that the file has to have; a place with another number is not used",
                of: .downloads, memory: .ofTask, curl: []
            ) { $0.length = $1 },
            JobOption(
                "verify-overlap", "go on with a part that nothing vouches for when its last 64 KiB are the server's",
                of: .downloads, againstStreams: "needs a part on the disk, and standard output has none", curl: []
            ) { $0.comparesOverlap = true },
            JobOption(
                "resumable", .resumption, "go on with uploads that are cut: auto, tus, draft or off (off)",
                of: .uploads,
                curl: []
            ) { $0.resumption = $1 },
        ]
    }

    static var ofBodies: [JobOption] {
        [
            JobOption(
                "form", .field, "a field of a form, or NAME=@FILE for a file, repeatable", letter: "F", of: .body,
                memory: .ofTask, isRepeatable: true, curl: ["--form", "-F"]
            ) { $0.form.append($1) },
            JobOption(
                "data-urlencode", .encodedField, "a field of a form in percent signs, or NAME@FILE, repeatable",
                of: .body,
                memory: .ofTask, isRepeatable: true
            ) { $0.encodedFields.append($1) },
            JobOption(
                "json-body", .json, "a body of JSON; the answer is asked for as JSON too", of: .body, memory: .ofTask,
                curl: ["--json"]
            ) { $0.json = $1 },
        ]
    }
}
