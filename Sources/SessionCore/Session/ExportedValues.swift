/// The values that the library speaks in come with it: a user imports `SessionCore` and no more.
@_exported public import TransferValues
