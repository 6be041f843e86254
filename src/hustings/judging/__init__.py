"""What is concluded from a record, by rule."""
