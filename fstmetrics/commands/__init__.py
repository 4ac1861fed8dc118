"""What each command does, as a call of Python with the same name and options."""
