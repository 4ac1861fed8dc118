"""What is done to words before they are compared: case, Unicode, tokenizers, units, profiles of rules."""
