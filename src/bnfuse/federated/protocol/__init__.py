"""The secure sum, without anything about networks: hashes, keys, shares, masks and the transcript that binds them."""
