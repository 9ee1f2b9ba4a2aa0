"""The vectors that sites add up, and the noise that they add to them."""
