import CLinux
import Glibc
import SessionSupport

/// Removes the parts in a staging folder that cannot be resumed: the parts of killed processes.
///
/// Their names mean nothing to a later run. A part stays if its transfer completed its meta and promised it as resume
/// data or in a store, if another transfer uses it, or if this user does not own it. Finished files are never touched,
/// because they belong to the code that was given their path.
enum OrphanedParts {
    /// Removes the abandoned parts.
    ///
    /// Blocks; belongs on a storage thread. Creates no file, and skips whatever the system refuses.
    static func remove(from path: String) {
        guard let folder = try? Folder(path: path, creating: false), let names = try? folder.names() else { return }
        for name in names {
            if StagingFolder.isPart(name) {
                removePart(name, in: folder)
            } else if let part = partName(ofMeta: name), folder.status(part) == nil, errno == ENOENT {
                // The part became a file or was removed, but the run ended before it removed this meta.
                PartFile.removeMeta(name, in: folder)
            }
        }
    }

    private static func partName(ofMeta name: String) -> String? {
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] where name.hasSuffix(suffix) {
            let part = String(name.dropLast(suffix.count))
            if StagingFolder.isPart(part) { return part }
        }
        return nil
    }

    /// Removes a part that was not promised; a promised one is not even locked for a moment, because its new owner may
    /// be reading it.
    private static func removePart(_ name: String, in folder: Folder) {
        guard !isPromised(name, in: folder) else { return }
        let file = folder.open(name, flags: O_RDWR)
        guard file >= 0 else { return }
        defer { _ = cl_close_unlocked(file) }
        guard cl_lock_exclusive(file) == 0, let status = FileStatus(descriptor: file), status.kind == .regular,
            status.owner == geteuid(), status.links == 1, folder.status(name)?.identity == status.identity,
            PartFile.isOurs(file, status, name, in: folder), !isPromised(name, in: folder)
        else { return }
        for suffix in [FileNames.metaSuffix, FileNames.temporaryMetaSuffix] {
            PartFile.removeMeta(name + suffix, in: folder)
        }
        unlinkat(folder.descriptor, name, 0)
    }

    private static func isPromised(_ name: String, in folder: Folder) -> Bool {
        PartFile.readMeta(name + FileNames.metaSuffix, in: folder)?.isPromised ?? false
    }
}
