internal import Glibc

/// The end of the pipe that the signals' handler writes to; it is set before the handler, and never again.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Orders for a worker from signals: the first SIGTERM or SIGINT lets running jobs end, the second one parks them.
///
/// A process has one, and its descriptor wakes the worker's loop.
package final class SignalOrders {
    private let bell: Bell
    private var count = 0

    package init() throws(FleetError) {
        bell = try Bell()
        signalPipe = bell.end
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            // A write may change errno, which the interrupted code is about to read.
            let saved = errno
            var byte: UInt8 = 1
            _ = write(signalPipe, &byte, 1)
            errno = saved
        }
        var handled = sigset_t()
        sigemptyset(&handled)
        for number in [SIGTERM, SIGINT] {
            sigaddset(&handled, number)
            guard sigaction(number, &action, nil) == 0 else {
                throw FleetError(.file, QueueErrors.noSignals(String(cString: strerror(errno))))
            }
        }
        // A parent process may have left them blocked.
        let result = pthread_sigmask(SIG_UNBLOCK, &handled, nil)
        guard result == 0 else {
            throw FleetError(.file, QueueErrors.noSignals(String(cString: strerror(result))))
        }
    }

    /// The order now; without a signal `standard`.
    package func order(else standard: FleetWorker.Order) -> FleetWorker.Order {
        count += bell.clear()
        switch count {
        case 0: return standard
        case 1: return .finish
        default: return .park
        }
    }

    package var descriptor: Int32 { bell.descriptor }
}
