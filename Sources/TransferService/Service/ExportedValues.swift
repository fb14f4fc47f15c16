/// The values of transfers come with the service that speaks of them.
@_exported public import TransferValues
