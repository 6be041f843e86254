from .machine import machine

__all__ = ["machine"]
