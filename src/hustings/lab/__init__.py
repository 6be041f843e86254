"""What looks at many runs, or at judges as objects of study: how turns reason, figures over debates, trials of judges."""
