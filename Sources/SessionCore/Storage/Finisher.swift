import Glibc

/// Turns a complete part into a file with its name, in the one order that a power cut cannot break: verify, sync the
/// file, rename, sync the folder, and only then let anybody hear of it.
enum Finisher {
    /// Finishes a part.
    ///
    /// Blocks; belongs on a storage thread.
    ///
    /// A part whose checksum is wrong is set aside as `….part.bad`, where one of an earlier try is replaced: it is never
    /// continued and never gets its name, but somebody may want to see it. After every other error the part stays as it is.
    /// - Parameters:
    ///   - finalName: the name it wants; one that ``FileNames`` made or checked.
    ///   - expectedLength: nil when the length is not known, as for a body that ends with its connection.
    static func finish(
        _ part: PartFile, finalName: String, collision: DownloadTarget.Collision, expectedLength: Int64?,
        checksum: Checksum?
    ) throws(SessionError) -> FinishedFile {
        let size = try part.size()
        if let expectedLength, size != expectedLength {
            let message = "\(size) bytes were saved but the file has \(expectedLength)"
            throw SessionError(.truncated, message, partPath: part.path)
        }
        var digest: String?
        if let checksum { digest = try verify(part, against: checksum) }
        try part.sync()
        guard let name = try publish(part, as: finalName, collision: collision) else {
            part.discard()
            return FinishedFile(path: part.folder.path(of: finalName), wasSkipped: true)
        }
        try part.folder.sync()
        part.removeMeta()
        part.close()
        return FinishedFile(path: part.folder.path(of: name), digest: digest)
    }

    /// Saves a body that is complete in memory, without a meta: whatever interrupts this, fetching again costs little.
    ///
    /// When it fails nothing is left behind, but for a body whose checksum is wrong, which is set aside as above.
    static func finishSmall(
        _ body: UnsafeRawBufferPointer, in folder: Folder, url: String, finalName: String,
        collision: DownloadTarget.Collision, checksum: Checksum?
    ) throws(SessionError) -> FinishedFile {
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed(finalName), finalName: finalName, facts: nil)
        do throws(SessionError) {
            try part.write(body, at: 0)
            return try finish(
                part, finalName: finalName, collision: collision, expectedLength: Int64(body.count), checksum: checksum)
        } catch {
            part.discard()
            throw error
        }
    }

    // MARK: - Steps

    /// Reads the part from the disk's cache, so that what is verified is what was saved.
    private static func verify(_ part: PartFile, against checksum: Checksum) throws(SessionError) -> String {
        let found = try part.digest(checksum.algorithm)
        guard found == checksum.digest else {
            let path = part.quarantine()
            let expected = ByteText.hexadecimal(checksum.digest)
            let message =
                "The \(checksum.algorithm.rawValue) checksum is \(ByteText.hexadecimal(found)) instead of \(expected);"
                + " the file was set aside as \(path)"
            throw SessionError(.checksum, message, partPath: path)
        }
        return ByteText.hexadecimal(found)
    }

    /// Gives the part the mode of a finished file, and its name.
    private static func publish(
        _ part: PartFile, as name: String, collision: DownloadTarget.Collision
    ) throws(SessionError) -> String? {
        guard fchmod(part.descriptor, FileMode.finished) == 0 else {
            throw part.failure(errno, cannot: "set the mode of")
        }
        do throws(SessionError) {
            return try place(part.name, in: part.folder, as: name, collision: collision)
        } catch {
            // It stays a part, and parts are private. When this fails too, the first error is the one to report.
            _ = fchmod(part.descriptor, FileMode.part)
            throw error
        }
    }

    /// Gives a file its name without ever replacing what the policy protects: the kernel decides, so two finishers that
    /// want one name get two.
    /// - Returns: the name it got; nil when the policy is to skip and the name is taken.
    private static func place(
        _ source: String, in folder: Folder, as name: String, collision: DownloadTarget.Collision
    ) throws(SessionError) -> String? {
        if let status = folder.status(name) { try Destination.checkReplaceable(status, name, in: folder) }
        if folder.rename(source, to: name, replacing: collision == .overwrite) == 0 { return name }
        guard errno == EEXIST else { throw SystemError.error(errno, cannot: "save to", path: folder.path(of: name)) }
        switch collision {
        case .skip: return nil
        case .fail, .overwrite: throw Destination.exists(name, in: folder)
        case .rename: return try placeNumbered(source, in: folder, as: name)
        }
    }

    private static func placeNumbered(
        _ source: String, in folder: Folder, as name: String
    ) throws(SessionError) -> String {
        for number in 1...FileNames.highestNumber {
            let candidate = FileNames.numbered(name, number)
            if folder.rename(source, to: candidate, replacing: false) == 0 { return candidate }
            guard errno == EEXIST else {
                throw SystemError.error(errno, cannot: "save to", path: folder.path(of: candidate))
            }
        }
        let message = "\(folder.path(of: name)) and all its names up to number \(FileNames.highestNumber) are taken"
        throw SessionError(.destinationExists, message)
    }
}
