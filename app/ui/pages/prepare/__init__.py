"""What a task needs, put together by a template."""
