/// Re-exports the values that rows and jobs are made of.
@_exported public import TransferValues
