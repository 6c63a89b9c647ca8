"""The trusted checker of certificates: this folder alone, standard library only."""
