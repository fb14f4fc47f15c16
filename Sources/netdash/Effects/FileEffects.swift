import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// Carries out effects on files of rows, which wait for the disk and so run on their own thread.
enum FileEffects {
    /// Finds or writes the file to view of a transfer.
    static func view(_ id: UInt64, of service: any TransferService) -> Message {
        guard let file = service.fileToView(of: id) else {
            return .toast(EffectToasts.noFileYet, isError: true)
        }
        return .viewable(path: file.path, isTemporary: file.isTemporary)
    }

    /// Deletes the files of completed downloads and removes their rows; returns messages about the ones that stay.
    static func delete(_ ids: [UInt64], in service: any TransferService) -> [Message] {
        let refusals = service.deleteFiles(of: ids).map(refusal)
        // An undo would otherwise restore a row without its file.
        service.send(.clear(ids.filter { id in service.path(of: id).map { access($0, F_OK) != 0 } ?? true }))
        let rest = service.snapshots(of: ids)
        return refusals + (rest.isEmpty ? [] : [.rows(rest)])
    }

    /// The partial files without an owner.
    static func leftovers(of service: any TransferService) -> Message {
        switch service.leftovers() {
        case .success(let parts): .leftovers(parts, problem: nil)
        case .failure(let failure): .leftovers([], problem: SafeText(untrusted: failure.message))
        }
    }

    /// The ends of transfers over all runs.
    static func history(of service: any TransferService) -> Message {
        switch service.history() {
        case .success(let entries): .history(HistoryPage(entries), problem: nil)
        case .failure(let failure): .history(nil, problem: SafeText(untrusted: failure.message))
        }
    }

    /// Removes some of them; returns the message for the user, and the remaining ones.
    static func removeParts(_ paths: [String], in service: any TransferService) -> [Message] {
        let (line, complaints) = service.removeLeftovers(paths)
        let told: [Message] =
            complaints.isEmpty ? [.toast(line, isError: false)] : complaints.map { .toast($0, isError: true) }
        return told + [leftovers(of: service)]
    }

    /// Resumes a download from another URL; returns the message for the user.
    static func changeURL(of id: UInt64, to url: String, in service: any TransferService) -> Message {
        let row = service.figures(of: [id]).first
        let had = row?.received ?? 0
        return switch service.changeURL(of: id, to: url) {
        case .success(nil) where row?.state.isPaused == true: told(EffectToasts.changesURLOfPaused)
        case .success(nil): told(EffectToasts.stoppingForURL)
        case .success(0) where had == 0: told(EffectToasts.startsFromURL)
        case .success(0): told(EffectToasts.restartsFromURL)
        case .success(let count?) where row?.continuation != .yes:
            told(EffectToasts.asksForRest(SizeText.short(count)))
        case .success(let count?): told(EffectToasts.resumesFromURL(SizeText.short(count)))
        case .failure(let failure): refusal(failure)
        }
    }

    /// Opens the file of a row, or its folder; without a visible desktop its path goes to the clipboard.
    static func open(
        _ id: UInt64, folder: Bool, of service: any TransferService, with opener: FileOpener, _ publisher: RowPublisher
    ) {
        guard let file = service.path(of: id) else { return publisher.post(told(EffectToasts.noFile)) }
        let path = folder ? EnteredPath.parts(of: file).folder : file
        guard access(path, F_OK) == 0 else {
            return publisher.post(.toast(EffectToasts.notThere(SafeText(untrusted: path)), isError: true))
        }
        switch opener.plan {
        case .copy(let reason):
            publisher.post(.quoted(path, EffectToasts.copied(SafeText(untrusted: path), because: reason)))
        case .run(let command):
            publisher.post(told(EffectToasts.opening(SafeText(untrusted: path))))
            // One queue each, because some commands return only when their program ends.
            DispatchQueue(label: "netdash.open").async {
                if let problem = FileOpener.run(command, path) { publisher.post(.toast(problem, isError: true)) }
            }
        }
    }

    static func told(_ sentence: SafeText) -> Message { .toast(sentence, isError: false) }

    static func refusal(_ failure: TransferFailure) -> Message {
        .toast(SafeText(untrusted: failure.message), isError: true)
    }
}
