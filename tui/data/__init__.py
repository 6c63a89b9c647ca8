"""The data that the interface shows, without any widgets: snapshots, the ledger's entries, runs, conjectures."""
