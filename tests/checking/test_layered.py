"""What a layer has, and what all layers of the document's model have."""

from __future__ import annotations

import pytest
from checking_verdicts import false_numbers
