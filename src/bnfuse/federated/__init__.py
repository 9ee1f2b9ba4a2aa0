"""A consensus of sites that keep their networks and data at home: rounds over Flower, with secure sums."""
