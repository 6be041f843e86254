"""What scorers of how turns reason are asked, and what their answers come to."""
