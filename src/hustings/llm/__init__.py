"""Language models and the settings that choose them: one interface, its adapters, endpoints and prices."""
