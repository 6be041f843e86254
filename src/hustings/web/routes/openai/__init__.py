"""A debate as a model, in the shape that clients of OpenAI speak; off unless the operator turns it on."""
