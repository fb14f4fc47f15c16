import CLinux

/// Tells file systems that lie on another machine, where locks and shared memory do not hold what a store needs.
enum NetworkFileSystem {
    /// The types `statfs` gives for them: AFS, Ceph, CIFS, Coda, NCP, NFS, 9P, SMB, SMB 2, Lustre.
    static let types: Set<UInt32> = [
        0x5346_414F, 0x00C3_6400, 0xFF53_4D42, 0x7375_7245, 0x0000_564C, 0x0000_6969, 0x0102_1997, 0x0000_517B,
        0xFE53_4D42, 0x0BD0_0BD0,
    ]

    /// Whether an open file or folder lies on one.
    ///
    /// One that does not say is taken for a local one.
    static func holds(descriptor: Int32) -> Bool {
        var type: UInt32 = 0
        return cl_file_system_type(descriptor, &type) == 0 && isNetwork(type: type)
    }

    /// Whether a type is that of one.
    static func isNetwork(type: UInt32) -> Bool { types.contains(type) }
}
