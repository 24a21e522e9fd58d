"""The parts of tools/measure.py: what is measured, how, and what it is held against."""
