"""A live log, watched for months at one level: what was read, what it says, and from which deck on it went wrong."""
