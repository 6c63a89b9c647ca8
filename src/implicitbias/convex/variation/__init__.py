"""Least total variation in any dimension (de Dios & Bruna 2020)."""
