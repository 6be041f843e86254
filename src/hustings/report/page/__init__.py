"""The argument map of the HTML report: its layout and its drawing."""
