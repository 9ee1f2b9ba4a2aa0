"""The paper's mathematics: elimination orders, clique sizes, minimal I-maps, fusion and distances."""
