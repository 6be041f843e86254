"""Steps from one shape of our tables to the next."""
