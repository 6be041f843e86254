"""Prints the OpenAPI document of the web server, from which the frontend types are made."""

import sys

from hustings.lab.routes import ROUTES
from hustings.web.app import openapi_document

if __name__ == "__main__":
    sys.stdout.write(openapi_document([ROUTES]))
