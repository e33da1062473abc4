"""From what a person names to tools: files, folders, modules, objects."""
