"""Does the evidence bear the claim? Judgements, verdicts, results, conjectures."""
