/// The values that rows and jobs are made of come with what shows them.
@_exported public import TransferValues
