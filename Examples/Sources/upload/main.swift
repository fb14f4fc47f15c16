// Sends a file and a few fields as a form, read while it is sent, and shows how far it is.
//
//     upload photo.jpg https://example.org/photos

import Foundation
import SessionCore

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
    print("Usage: upload FILE URL")
    exit(2)
}

do {
    var form = MultipartForm()
    form.append("Holiday", name: "album")
    try form.append(file: URL(fileURLWithPath: arguments[0]), name: "photo")
    var options = TaskOptions()
    options.uploadProgress = { print("\(Int($0.fractionCompleted * 100)) % sent") }
    let completion = try await SessionManager().upload(
        for: TransferRequest(url: arguments[1], method: "POST"), from: form, options: options)
    print(
        "The server answered \(completion.head?.statusCode ?? 0): \(String(decoding: completion.data, as: UTF8.self))")
} catch {
    print("Not sent: \(error)")
    exit(1)
}
