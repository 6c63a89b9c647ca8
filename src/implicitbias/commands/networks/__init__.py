"""Commands on trained networks, a file each."""
