"""Certificates as files, and the small trusted checker."""
