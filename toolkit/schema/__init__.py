"""Schemas: what a function accepts, told to a model and enforced at a call."""
