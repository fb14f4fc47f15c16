import SessionCore

/// The examples of the articles, one for each kind of task, with nothing but what the library makes public, and with its import alone.
///
/// What stands between the marks is what the articles show, letter by letter; a test compares them.
enum DocumentationExampleKinds {
    static func data(_ manager: SessionManager, _ address: URL) throws {
        // example: data
        let task = try manager.dataTask(with: URLRequest(url: address)) { response, object, error in
            if let error { return print("Failed: \(error)") }
            let answer = object as? [String: any Sendable]
            print("Status \(response?.statusCode ?? 0), name \(answer?["name"] ?? "unknown")")
        }
        task.resume()
        // end
    }

    static func asyncData(_ manager: SessionManager, _ address: URL) async throws -> Int {
        // example: async
        let completion = try await manager.data(for: URLRequest(url: address))
        print("\(completion.data.count) bytes, status \(completion.head?.statusCode ?? 0)")
        // end
        return completion.data.count
    }

    static func stream(_ manager: SessionManager, _ address: URL) throws -> SessionTask {
        // example: stream
        let task = try manager.dataTask(
            with: URLRequest(url: address),
            options: TaskOptions(delivery: .stream { chunk in print("\(chunk.count) more bytes") }),
            completionHandler: { _, _, error in print(error == nil ? "Whole" : "Broken off") })
        task.resume()
        // end
        return task
    }

    static func uploadFile(_ manager: SessionManager, _ address: URL, _ file: URL) throws -> SessionTask {
        // example: upload-file
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        let task = try manager.uploadTask(
            with: request, fromFile: file,
            progress: { progress in print("\(progress.completedUnitCount) bytes sent") },
            completionHandler: { response, _, error in
                print(error.map { "\($0)" } ?? "Stored with status \(response?.statusCode ?? 0)")
            })
        task.resume()
        // end
        return task
    }

    static func uploadData(_ manager: SessionManager, _ address: URL) async throws -> ResponseHead? {
        // example: upload-data
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let body = Data(#"{"name":"example"}"#.utf8)
        let completion = try await manager.upload(for: request, from: body)
        // end
        return completion.head
    }

    static func uploadStream(_ manager: SessionManager, _ address: URL, _ file: URL) throws -> SessionTask {
        // example: upload-stream
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(url: file)
        let task = try manager.uploadTask(withStreamedRequest: request) { _, _, error in
            print(error == nil ? "Stored" : "Not stored")
        }
        task.resume()
        // end
        return task
    }

    static func download(_ manager: SessionManager, _ address: URL, _ folder: String) async throws -> URL? {
        // example: download
        let target = DownloadTarget(folder: folder, collision: .rename)
        let completion = try await manager.download(
            for: URLRequest(url: address), options: TaskOptions(target: target))
        print("Stored as \(completion.fileURL?.path ?? "nothing")")
        // end
        return completion.fileURL
    }

    static func resumeData(_ manager: SessionManager, _ task: SessionTask) async throws -> SessionTask? {
        // example: resume-data
        let resumeData = await withCheckedContinuation { continuation in
            task.cancel { resumeData in continuation.resume(returning: resumeData) }
        }
        // Later: nil where the server gave nothing that proves the file is still the same.
        guard let resumeData else { return nil }
        let second = try manager.downloadTask(withResumeData: resumeData) { _, file, error in
            print(file?.path ?? "\(error, default: "no file")")
        }
        second.resume()
        // end
        return second
    }
}
