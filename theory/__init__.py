"""What people claim: a folder a paper, in it a file a theorem or section. Found by `implicitbias.catalogue.load`."""
