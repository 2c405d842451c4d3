"""What `deploy/` holds, each file by the tool that reads it; a tool that is missing is named, and `not tried here`."""
