"""The browser's side of the house: debates over HTTP, and the pages that show them."""
