"""Every Eval Ever: instances as JSONL."""
