"""Problems: data whose truth is known, or made known."""
