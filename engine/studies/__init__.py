"""Two small problems whose scores are exact, or nearly: tossed coins and logistic regression."""
