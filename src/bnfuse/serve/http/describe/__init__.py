"""The description of the API, made from the typed structures that the code uses."""
