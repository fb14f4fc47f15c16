import Dashboard
import SessionSupport
import TransferService

extension FileEffects {
    /// The result of a move.
    private enum Move {
        case moved(to: String)
        /// A download that has not ended takes the new path, or has to stop for it first.
        case takesPath(isPaused: Bool)
        /// An undo found the file in its place, so that it was never moved.
        case wasThere
        case refused(SafeText)

        /// Whether the file is where it was.
        var isVain: Bool {
            switch self {
            case .moved, .takesPath: false
            case .wasThere, .refused: true
            }
        }

        var message: Message {
            switch self {
            case .moved(let path): told(EffectToasts.moved(SafeText(untrusted: path)))
            case .takesPath(let isPaused):
                told(isPaused ? EffectToasts.changesPathOfPaused : EffectToasts.stoppingForPath)
            case .wasThere: .toast(SafeText(untrusted: ServiceErrors.samePath), isError: true)
            case .refused(let sentence): .toast(sentence, isError: true)
            }
        }
    }

    /// Moves a download's file from its place; returns the message for the user, and before it what undo forgets.
    static func move(_ file: FilePlace, to typed: String, in service: any TransferService) -> [Message] {
        let move = result(of: file.id, to: typed, isUndo: false, in: service)
        return (move.isVain ? [.notMoved([file])] : []) + [move.message]
    }

    /// Moves a download's file back to its place.
    static func moveBack(_ file: FilePlace, in service: any TransferService) -> [Message] {
        [result(of: file.id, to: file.path, isUndo: true, in: service).message]
    }

    /// Moves the files of several downloads to a folder; returns what undo forgets, a message for each, and then one
    /// about all.
    static func move(_ files: [FilePlace], to folder: String, in service: any TransferService) -> [Message] {
        let moves = files.map { result(of: $0.id, to: folder, isUndo: false, in: service) }
        let vain = zip(files, moves).filter(\.1.isVain).map(\.0)
        return (vain.isEmpty ? [] : [.notMoved(vain)]) + messages(of: moves, isUndo: false, to: folder)
    }

    /// Moves the files of several downloads back to their places.
    ///
    /// A file that is found in its place was never moved, and is left out.
    static func moveBack(_ files: [FilePlace], in service: any TransferService) -> [Message] {
        let moves = files.map { result(of: $0.id, to: $0.path, isUndo: true, in: service) }.filter { move in
            if case .wasThere = move { false } else { true }
        }
        return messages(of: moves, isUndo: true, to: files.last?.path ?? "")
    }

    private static func messages(of moves: [Move], isUndo: Bool, to path: String) -> [Message] {
        let messages = moves.map(\.message)
        return messages + (messages.count < 2 ? [] : [message(of: moves, isUndo: isUndo, to: path)])
    }

    private static func message(of moves: [Move], isUndo: Bool, to path: String) -> Message {
        var (paths, waiting): ([String], Int) = ([], 0)
        var problem: SafeText?
        for move in moves {
            switch move {
            case .moved(let path): paths.append(path)
            case .takesPath: waiting += 1
            case .wasThere: problem = SafeText(untrusted: ServiceErrors.samePath)
            case .refused(let sentence): problem = sentence
            }
        }
        if let problem {
            return .toast(EffectToasts.moved(paths.count + waiting, of: moves.count, problem), isError: true)
        }
        guard !isUndo else { return told(EffectToasts.movedBack(paths.count, waiting)) }
        let folder = EnteredPath.parts(of: paths.last ?? path).folder
        return told(EffectToasts.moved(paths.count, waiting, to: SafeText(untrusted: folder)))
    }

    private static func result(
        of id: UInt64, to typed: String, isUndo: Bool, in service: any TransferService
    ) -> Move {
        let isPaused = service.figures(of: [id]).first?.state.isPaused == true
        return switch service.moveFile(of: id, to: typed, isUndo: isUndo) {
        case .success(let path?): .moved(to: path)
        case .success(nil): .takesPath(isPaused: isPaused)
        case .failure(let failure) where failure.message == ServiceErrors.samePath: .wasThere
        case .failure(let failure) where isUndo && failure.message == ServiceErrors.changedByAnother.string:
            .refused(EffectToasts.notUndone(1, of: 1))
        case .failure(let failure): .refused(SafeText(untrusted: failure.message))
        }
    }
}
