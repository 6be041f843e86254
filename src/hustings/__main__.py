"""`python -m hustings`, for a program that is installed where no command is on the path."""

from .main import main

main()
