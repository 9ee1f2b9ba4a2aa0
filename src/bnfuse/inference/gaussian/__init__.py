"""Networks of numbers: their joint normal distribution, questions, rows, fitting and pooling."""
