"""What disk and database owe to callers, and what callers are told when these refuse.

durable    an answer leaves when what it tells of is on the disk
"""
