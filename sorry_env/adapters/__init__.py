"""Shells for other libraries; nothing of this package imports them."""
