"""Questions beyond probabilities given states: beliefs, interventions, explanations, information, sensitivity."""
