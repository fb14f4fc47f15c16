// Downloads a file into a folder and shows how far it is. A later run goes on where this one was stopped.
//
//     download https://example.org/file.iso [folder]

import Foundation
import SessionCore

guard let url = CommandLine.arguments.dropFirst().first else {
    print("Usage: download URL [folder]")
    exit(2)
}
let folder = CommandLine.arguments.dropFirst(2).first ?? "."

let manager = SessionManager()
var options = TaskOptions(target: DownloadTarget(folder: folder))
options.downloadProgress = { progress in
    let percent = progress.isIndeterminate ? "?" : "\(Int(progress.fractionCompleted * 100))"
    print("\(percent) % (\(progress.completedUnitCount) bytes)")
}

do {
    let completion = try await manager.download(for: TransferRequest(url: url), options: options)
    print("Stored as \(completion.fileURL?.path ?? "nothing")")
} catch {
    print("No file: \(error)")
    exit(1)
}
