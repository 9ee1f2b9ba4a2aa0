"""The secure sum, independent of networks: hashes, keys, shares, masks and the transcript that binds them."""
