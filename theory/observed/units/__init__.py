"""What one unit and a few units do and cost, exactly."""
