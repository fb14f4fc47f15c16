import Dashboard
import Foundation
import Glibc
import TransferService

/// The files that a user names in the form of an upload: several words, patterns, folders.
enum TypedUploads {
    /// Why the files of a job cannot be sent, as a sentence for its form.
    struct Refusal: Error {
        let job: Job
        let sentence: SafeText
    }

    /// The jobs with one upload for each file; reads the disk where a path may stand for several.
    ///
    /// A file whose name looks like words or a pattern is that file.
    static func jobs(_ jobs: [Job]) throws(Refusal) -> UploadSources.Findings<Job> {
        var result = UploadSources.Findings<Job>()
        for job in jobs {
            guard AddForm.namesSeveralFiles(job), case .file(let text) = job.body else {
                result.items.append(job)
                continue
            }
            do throws(UsageError) {
                let found = try UploadSources.jobs(of: try paths(in: text), as: job) { $0.namedAfterFile }
                result.items += found.items
                result.leftOut += found.leftOut
            } catch {
                throw Refusal(job: job, sentence: SafeText(untrusted: error.message))
            }
        }
        return result
    }

    /// The files and folders that a text names.
    private static func paths(in text: String) throws(UsageError) -> [String] {
        let whole = UserFolder.expanding(text)
        if FileManager.default.fileExists(atPath: whole) { return [whole] }
        guard let words = ShellWords.split(text) else { throw UsageError(argument: "upload", JobUsage.openQuote) }
        var paths: [String] = []
        for word in words { paths += try matches(of: UserFolder.expanding(word)) }
        return paths
    }

    /// The paths that match a pattern, sorted; a word without one stands for itself.
    private static func matches(of word: String) throws(UsageError) -> [String] {
        guard word.contains(where: { "*?[".contains($0) }), !FileManager.default.fileExists(atPath: word) else {
            return [word]
        }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(word, 0, nil, &found) == 0, let paths = found.gl_pathv else {
            throw UsageError(argument: "upload", JobUsage.noMatch(word))
        }
        return (0..<Int(found.gl_pathc)).compactMap { index in paths[index].map { String(cString: $0) } }
    }
}
