"""A consensus of sites that show nobody their networks or their data: rounds over Flower, with secure sums."""
