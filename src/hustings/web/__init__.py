"""The web server: debates over HTTP, and the pages that show them."""
