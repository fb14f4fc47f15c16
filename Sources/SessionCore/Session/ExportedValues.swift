/// Re-exports the library's value types, so that a user imports only `SessionCore`.
@_exported public import TransferValues
