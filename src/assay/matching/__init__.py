"""Match answers with the answer key: exact text, patterns, letters, judgments; and recognise refusals."""
