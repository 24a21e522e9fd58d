"""derive has no Rewrite."""

from derive import Rewrite

step = Rewrite()
