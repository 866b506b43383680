"""Says a few things about a file of numbers or words."""
