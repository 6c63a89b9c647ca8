"""What else would the evidence accept? A search for formulas that it cannot tell from the claim's."""
