"""The rounds over Flower: the app, and the program of a site that runs no app but ours."""
