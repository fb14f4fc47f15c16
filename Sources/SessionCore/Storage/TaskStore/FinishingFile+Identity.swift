extension StoredTransfer.FinishingFile {
    /// A file by what the system calls it, and the path it is to have.
    init(_ path: String, _ identity: FileStatus.Identity) {
        self.init(path: path, device: identity.device, inode: identity.inode)
    }
}
