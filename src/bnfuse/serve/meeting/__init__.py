"""Several people at one workspace: who they are and may do, what of their changes conflicts, private rounds."""
