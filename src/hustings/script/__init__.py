"""What a protocol is written with, and the driver that plays it. Pure code without I/O."""
