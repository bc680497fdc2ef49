"""The calibration loop does the same work for ever."""

import numpy as np

from sim.core._calibration import CALIBRATION_STEPS, calibrate
from sim.core._rng import PyStream


def test_the_work_never_changes():
    assert calibrate(0) == 0
    assert calibrate(CALIBRATION_STEPS) == calibrate() == 13223738934154854911


def test_the_work_is_done():
    stream = PyStream(np.array([1, 2], np.uint64), 0, 0)
    cards, left, checksum = list(range(60)), 60, 0
    for _ in range(500):
        j = stream.bounded(left)
        left -= 1
        cards[j], cards[left] = cards[left], cards[j]
        checksum = (checksum * 31 + cards[left]) % 2**64
        if left == 1:
            left = 60
    assert calibrate(500) == checksum
