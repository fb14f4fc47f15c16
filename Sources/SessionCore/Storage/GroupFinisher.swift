import CLinux
import Glibc

/// Finishes many small downloads of one file system with two syncs altogether: write all, sync, write down in the
/// session's store, name all, sync.
///
/// Each file goes through the same order as a single one does: it is on the disk before it gets its name, and the name is
/// on the disk before anybody hears of it. Blocks; belongs on a storage thread.
struct GroupFinisher: Sendable {
    /// Brings everything written to the file system that holds a folder to the disk; returns 0 or an error number.
    var syncFileSystem: @Sendable (Folder) -> Int32 = { folder in
        while cl_syncfs(folder.descriptor) != 0 {
            if errno != EINTR { return errno }
        }
        return 0
    }

    private struct Member {
        var download: SmallDownload
        var file: UnnamedFile?
        var name: String?
        var result: Result<FinishedFile, SessionError>?
    }

    /// The results, in the order of the group, whose members all lie on one file system.
    func finish(_ group: [SmallDownload]) -> [Result<FinishedFile, SessionError>] {
        var members = group.map { Member(download: $0) }
        forEach(&members, write)
        sync(&members)
        record(members)
        forEach(&members, place)
        sync(&members) { $0.folder }
        return members.map { $0.result ?? Self.finished($0) }
    }

    /// Performs a step for every member that has not ended.
    private func forEach(_ members: inout [Member], _ step: (inout Member) throws(SessionError) -> Void) {
        for index in members.indices where members[index].result == nil {
            do throws(SessionError) {
                try step(&members[index])
            } catch {
                members[index].file = nil
                members[index].result = .failure(error)
            }
        }
    }

    /// A download whose file cannot be made this way takes the way of a single one, which tells what is wrong.
    private func write(_ member: inout Member) throws(SessionError) {
        let download = member.download
        guard download.checksum == nil, let file = UnnamedFile(in: download.folder, finalName: download.finalName)
        else {
            member.result = download.finish()
            return
        }
        try file.write(download.body)
        member.file = file
    }

    /// Writes down what is about to get its name, with one commit; the members of a group belong to one session.
    private func record(_ members: [Member]) {
        var files: [TransferID: StoredTransfer.FinishingFile] = [:]
        for member in members where member.result == nil && member.download.journal != nil {
            files[member.download.id] = member.file?.finishing
        }
        guard !files.isEmpty else { return }
        members.lazy.compactMap(\.download.journal).first?.record(files)
    }

    private func place(_ member: inout Member) throws(SessionError) {
        member.name = try member.file?.place(collision: member.download.collision, url: member.download.url)
    }

    /// Syncs the file system once for all.
    ///
    /// When that fails it says nothing about a single file, so each is synced, and so is the folder of each where names
    /// were given: every file gets its own verdict. The second sync concerns the file system too, not the folders alone,
    /// because a file's link count lies in its inode, which the sync of a folder need not write.
    private func sync(_ members: inout [Member], folder: ((SmallDownload) -> Folder)? = nil) {
        guard let first = members.first(where: { $0.result == nil }) else { return }
        guard syncFileSystem(first.download.folder) != 0 else { return }
        forEach(&members) { member throws(SessionError) in
            try member.file?.sync()
            try folder?(member.download).sync()
        }
    }

    private static func finished(_ member: Member) -> Result<FinishedFile, SessionError> {
        let folder = member.download.folder
        guard let name = member.name else {
            return .success(FinishedFile(path: folder.path(of: member.download.finalName), wasSkipped: true))
        }
        return .success(FinishedFile(path: folder.path(of: name)))
    }
}
