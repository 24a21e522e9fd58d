"""Python itself fails while the file is read."""

from derive import Derivation, letters

time = Derivation("t", "Time", unit="s", start=letters.F / letters.P * (1 // 0))
