"""The embedded stack: PostgreSQL and Redis from wheels, and the API and a worker beside them, on one machine.

    supervisor  starts everything in order, watches it, stops it
    storage     PostgreSQL and Redis alone: what `migrate --data-dir` needs too
    postgres    a database cluster in the data directory
    redis       a queue that remembers nothing
    home        where the servers' files and sockets lie, and which system user owns them
    programs    the servers' programs, and a copy of them where root's own are out of that user's reach
    process     children that die with their parent, and those that a killed parent left behind
    lock        one stack per directory
    signals     Ctrl-C and SIGTERM as a flag

Everything here is synchronous and runs in the main thread: on Linux a child is tied to the thread that started it.
"""
