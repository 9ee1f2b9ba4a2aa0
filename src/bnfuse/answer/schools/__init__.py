"""Schools of thought: the few networks that are together closest to the inputs, and whether there is more than one."""
