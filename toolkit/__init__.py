"""toolkit: the workbench for people who write tools for language models."""
