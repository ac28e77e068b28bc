"""Tests of the parity program itself: that it sees what it should see."""
