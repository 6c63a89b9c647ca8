"""What the papers claim: one folder per paper, one file per place in it, found by `claims.catalogue.load`."""
