"""Several people at one workspace: their identities and rights, conflicts between changes, private rounds."""
