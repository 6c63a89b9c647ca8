"""Infinite width and what networks of finite width converge to."""
