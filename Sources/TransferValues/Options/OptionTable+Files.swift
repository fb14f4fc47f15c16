/// The options of downloads, uploads and request bodies.
extension JobOption {
    package static let maximumTime = record("max-time")
    package static let maximumFileSize = record("max-filesize")
    package static let leastSpeed = record("speed-limit")
    package static let findChecksum = record("find-checksum")
    package static let relative = record("relative")
    package static let connections = record("connections")
    package static let minimumSegment = record("min-split")
    package static let mirror = record("mirror")
    package static let length = record("length")
    package static let resumable = record("resumable")
    package static let partSize = record("part-size")
    package static let uploadDigest = record("upload-digest")
    package static let form = record("form")
    package static let dataPart = record("data-part")
    package static let urlEncoded = record("data-urlencode")
    package static let jsonBody = record("json-body")

    static var ofFiles: [JobOption] {
        [
            JobOption(
                "remote-time", "set the file time from Last-Modified", letter: "R", of: .downloads,
                needsFile: true, curl: ["--remote-time", "-R"]
            ) { $0.keepsRemoteTime = true },
            JobOption(
                "find-checksum", "look for a published checksum, such as FILE.sha256, and report if it is missing",
                of: .downloads,
                needsFile: true, curl: []
            ) { $0.findsChecksum = true },
            JobOption(
                "relative", "keep the folders of the URL below -d, so that http://h/a/b/f becomes a/b/f",
                of: .downloads, needsFile: true, curl: []
            ) { $0.keepsFolders = true },
            // curl gives each file one connection.
            JobOption(
                "connections", .connections,
                "connections per download, 1 to 16; auto adds them while they help (auto)", letter: "x",
                of: .downloads, curl: []
            ) { $0.segmentation.connections = $1 },
            JobOption(
                "min-split", .segment, "minimum segment size per connection (1M)", letter: "k",
                of: .downloads,
                curl: [], aria: ["min-split-size"]
            ) { $0.segmentation.minimumSegment = $1 },
            JobOption(
                "mirror", .mirror, "mirror URL of the same file, repeatable; all other URLs are mirrors too",
                of: .downloads, memory: .ofTask, isRepeatable: true,
                needsFile: true, curl: []
            ) { $0.mirrors.append($1) },
            JobOption(
                "length", .size, "expected size in bytes; mirrors of another size are not used",
                of: .downloads, memory: .ofTask, curl: []
            ) { $0.length = $1 },
            JobOption(
                "verify-overlap", "resume without a validator if the last 64 KiB match the server's",
                of: .downloads, needsFile: true, curl: []
            ) { $0.comparesOverlap = true },
            JobOption(
                "resumable", .resumption,
                "resume interrupted uploads: auto, tus, draft, content-range, s3 or off (off)", of: .uploads, curl: []
            ) { $0.resumption = $1 },
            JobOption(
                "part-size", .part, "size of the parts of --resumable s3, from 5M (16M, more for large files)",
                of: .uploads,
                curl: []
            ) { $0.request.partSize = $1 },
            JobOption(
                "upload-digest", .bodyDigest, "send digests of the file and of each request: sha-256 or sha-512 (off)",
                of: .uploads,
                curl: []
            ) { $0.request.bodyDigest = $1 },
        ]
    }

    static var ofBodies: [JobOption] {
        [
            JobOption(
                "form", .field, "form field, or NAME=@FILE for a file, repeatable", letter: "F", of: .body,
                memory: .ofTask, isRepeatable: true, curl: ["--form", "-F"]
            ) { $0.form.append($1) },
            JobOption(
                "data-urlencode", .encodedField, "URL-encoded form field, or NAME@FILE, repeatable",
                of: .body,
                memory: .ofTask, isRepeatable: true
            ) { $0.encodedFields.append($1) },
            JobOption(
                "data-part", .dataPart,
                "part of a form as it is, or @FILE without its line ends; joined by &, repeatable", of: .body,
                memory: .ofTask, isRepeatable: true, curl: ["--data"]
            ) { $0.encodedFields.append($1) },
            JobOption(
                "json-body", .json, "JSON body; asks for a JSON response too", of: .body, memory: .ofTask,
                curl: ["--json"]
            ) { $0.json = $1 },
        ]
    }
}
