"""What a model will misread and what a provider will refuse, known before it is deployed."""
