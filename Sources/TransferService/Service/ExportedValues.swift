/// Re-exports the values that the service's declarations use.
@_exported public import TransferValues
