"""What learns, and where players meet: trainers, league, arena."""
