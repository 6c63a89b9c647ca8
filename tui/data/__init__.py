"""What the interface shows, without a widget in sight: snapshots, the ledger's entries, runs, conjectures."""
