"""Tests of pith-mirror; a package so that tests can share modules by name."""
