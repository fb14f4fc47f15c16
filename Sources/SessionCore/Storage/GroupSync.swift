import CLinux

/// What is gained by syncing a whole file system for many files at once.
enum GroupSync: Sendable {
    /// Syncing costs nothing, because the file system is in memory.
    case free
    /// One sync takes the place of many, and a failure is reported.
    case worthwhile
    /// Nothing is known that would make it safe: a network file system, one in user space, an old kernel.
    case unknown

    private static let reportsErrors = cl_syncfs_reports_errors()

    /// Looks at the file system of something open.
    init(descriptor: Int32) {
        switch cl_file_system_of(descriptor) {
        case CL_FILE_SYSTEM_MEMORY: self = .free
        case CL_FILE_SYSTEM_LOCAL where Self.reportsErrors: self = .worthwhile
        default: self = .unknown
        }
    }
}
