"""The pieces that pages are made of. None of them knows the facade."""
