/// Errors in a value that decides when transfers begin.
enum QueueUsage {
    static func requestRate(_ text: String) -> String {
        "\"\(text)\" is not a rate of requests; write 5/s, 30/m or 100/h"
    }
}
