"""The web server: HTTP/1.1 for the product's WSGI application, made for callers who mean harm.

    listening   binds the port, and makes the members of a family that answer there
    process     one process: an event loop that holds the connections, and threads that answer
    connection  one connection: reads requests, writes answers, and keeps to its deadlines
    heads       the head of a request, and what is refused in it
    bodies      the body of a request, in memory or on disk
    threads     who is answered next, and who is refused because nobody could be in time
    calls       the WSGI side: calls the application in a thread
    health      who asks after the process is answered before anything else
    readiness   what the process rests on, asked for that
    streams     long answers, piece by piece, no faster than they are read
    answers     heads of answers, and refusals in the product's words
    addresses   how many connections each client address has, over all processes
    bounds      every number of the above

A thread is taken when a request is there as a whole, so that slow callers cost a socket and a few KB. Nothing here
knows an app: the application is named by `WSGI_APPLICATION`.
"""

__all__ = ["bounds", "listening"]
