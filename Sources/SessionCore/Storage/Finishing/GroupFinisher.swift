import CLinux
import Glibc

/// Finishes many small downloads of one file system with two syncs altogether: write all, sync, write down in the
/// session's store, name all, sync.
///
/// Each file goes through the same order as a single one does: it is on the disk before it gets its name, and the name
/// is on the disk before anybody hears of it. Blocks; belongs on a storage thread.
struct GroupFinisher: Sendable {
    /// Brings everything written to the file system that holds a folder to the disk; returns 0 or an error number.
    var syncFileSystem: @Sendable (Folder) -> Int32 = { folder in
        while cl_syncfs(folder.descriptor) != 0 {
            if errno != EINTR { return errno }
        }
        return 0
    }

    /// How far a download of the group has come.
    private struct Member {
        var file: UnnamedFile?
        var name: String?
        /// What became of a member that left the others' way.
        var result: Result<FinishedFile, SessionError>?

        /// Whether it still goes the way of the others; comparing the result with nil would copy it.
        var isInGroup: Bool {
            if case .none = result { true } else { false }
        }
    }

    /// The results, in the order of the group, whose members all lie on one file system.
    func finish(_ group: [SmallDownload]) -> [Result<FinishedFile, SessionError>] {
        var results: [Result<FinishedFile, SessionError>] = []
        results.reserveCapacity(group.count)
        finish(group) { results.append($1) }
        return results
    }

    /// Finishes a group, whose members all lie on one file system, and then tells what became of each, in their order.
    func finish(_ group: [SmallDownload], report: (SmallDownload, Result<FinishedFile, SessionError>) -> Void) {
        var members = [Member](repeating: Member(), count: group.count)
        forEach(&members, of: group, write)
        sync(&members, of: group)
        record(members, of: group)
        forEach(&members, of: group, place)
        sync(&members, of: group) { $0.folder }
        var looked: (folder: Folder, movedPath: String?)?
        for (member, download) in zip(members, group) {
            if let result = member.result {
                report(download, result)
                continue
            }
            if looked?.folder !== download.folder { looked = (download.folder, download.folder.movedPath) }
            let path = download.folder.path(of: member.name ?? download.finalName, in: looked?.movedPath)
            report(download, .success(FinishedFile(path: path, wasSkipped: member.name == nil)))
        }
    }

    /// Runs a step for every member that has not ended.
    private func forEach(
        _ members: inout [Member], of group: [SmallDownload],
        _ step: (inout Member, SmallDownload) throws(SessionError) -> Void
    ) {
        for index in members.indices where members[index].isInGroup {
            do throws(SessionError) {
                try step(&members[index], group[index])
            } catch {
                members[index].file = nil
                members[index].result = .failure(error)
            }
        }
    }

    /// A download whose file cannot be made this way takes the way of a single one, which tells what is wrong.
    private func write(_ member: inout Member, _ download: SmallDownload) throws(SessionError) {
        guard !download.isCompared, let file = UnnamedFile(in: download.folder, finalName: download.finalName)
        else {
            member.result = download.finish()
            return
        }
        try file.write(download.body)
        if let stamp = download.stamp { file.stamp(stamp) }
        member.file = file
    }

    /// Writes down what is about to get its name, with one commit; the members of a group belong to one session.
    private func record(_ members: [Member], of group: [SmallDownload]) {
        var files: [TransferID: StoredTransfer.FinishingFile] = [:]
        for index in group.indices where group[index].journal != nil && members[index].isInGroup {
            files[group[index].id] = members[index].file?.finishing
        }
        guard !files.isEmpty else { return }
        group.lazy.compactMap(\.journal).first?.record(files)
    }

    private func place(_ member: inout Member, _ download: SmallDownload) throws(SessionError) {
        do throws(SessionError) {
            member.name = try member.file?.place(collision: download.collision, url: download.url)
        } catch {
            // Without second names the file cannot have its first one this way, and a renamed one can.
            guard let number = error.errno, cl_is_unsupported(number) else { throw error }
            member.file = nil
            member.result = download.finish()
        }
    }

    /// Syncs the file system once for all.
    ///
    /// When that fails it says nothing about a single file, so each is synced, and so is the folder of each where names
    /// were given: every file gets its own verdict. The second sync concerns the file system too, not the folders
    /// alone, because a file's link count lies in its inode, which the sync of a folder need not write.
    private func sync(
        _ members: inout [Member], of group: [SmallDownload], folder: ((SmallDownload) -> Folder)? = nil
    ) {
        guard let first = members.firstIndex(where: { $0.isInGroup }) else { return }
        guard syncFileSystem(group[first].folder) != 0 else { return }
        forEach(&members, of: group) { member, download throws(SessionError) in
            try member.file?.sync()
            try folder?(download).sync()
        }
    }
}
