"""How well Famulus works: the five rates, the reviews, and the marks that ranking learns from."""
