"""Parcheesi: two dice, four pieces a seat, blockades, captures that are rewarded (section P of the rules page)."""
