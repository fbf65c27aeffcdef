"""The nouns of the format: parsed, checked for shape and spelled, free of IO."""
