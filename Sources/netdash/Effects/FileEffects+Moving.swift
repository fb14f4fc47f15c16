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

    /// Moves a download's file, or moves it back; returns the message for the user, and before it what undo forgets.
    static func move(
        _ id: UInt64, to typed: String, isUndo: Bool = false, in service: any TransferService
    ) -> [Message] {
        let move = result(of: id, to: typed, isUndo: isUndo, in: service)
        return (move.isVain && !isUndo ? [.notMoved([id])] : []) + [move.message]
    }

    /// Moves the files of several downloads; returns what undo forgets, a message for each, and then one about all.
    ///
    /// A file that an undo finds in its place was never moved, and is left out.
    static func move(_ files: [FilePlace], isUndo: Bool = false, in service: any TransferService) -> [Message] {
        let all = files.map { result(of: $0.id, to: $0.path, isUndo: isUndo, in: service) }
        let vain = isUndo ? [] : zip(files, all).filter(\.1.isVain).map(\.0.id)
        let moves = all.filter { move in
            if case .wasThere = move { !isUndo } else { true }
        }
        let messages = moves.map(\.message)
        return (vain.isEmpty ? [] : [.notMoved(vain)]) + messages
            + (messages.count < 2 ? [] : [message(of: moves, isUndo: isUndo, files)])
    }

    private static func message(of moves: [Move], isUndo: Bool, _ files: [FilePlace]) -> Message {
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
        let folder = EnteredPath.parts(of: paths.last ?? files.last?.path ?? "").folder
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
