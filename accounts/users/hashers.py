"""Password hashing sized for many sign-ins at once."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id at 19 MiB, two passes, one lane (OWASP's minimum): Django's default takes 100 MiB a sign-in."""

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1
