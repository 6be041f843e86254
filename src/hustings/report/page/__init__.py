"""The HTML report, part by part."""
