public import Foundation

extension Notification.Name {
    /// The status changed; object: the manager; the number is under ``ReachabilityNotification/statusKey``.
    ///
    /// Posted on the manager's queue, after its closure has returned.
    public static let reachabilityDidChange = Notification.Name("com.alamofire.networking.reachability.change")
}

/// The userInfo key of the reachability notification, with the original's string.
public enum ReachabilityNotification {
    /// The new status's raw value.
    public static let statusKey = "AFNetworkingReachabilityNotificationStatusItem"
}
