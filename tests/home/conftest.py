from tests.home.machine import machine

__all__ = ["machine"]
