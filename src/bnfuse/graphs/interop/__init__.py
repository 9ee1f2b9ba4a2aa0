"""The models of other packages, as plain parts and back."""
