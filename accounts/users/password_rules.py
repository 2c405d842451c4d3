"""What a password must have."""

from django.contrib.auth import password_validation
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

from accounts.users.models import User
from emailcheck.common.errors import BadInput

LENGTH = 8


class LongEnough:
    """At least eight characters."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if len(password) < LENGTH:
            raise ValidationError(self.get_help_text())

    def get_help_text(self) -> str:
        return f"Password must be at least {LENGTH} characters long"


class LettersAndNumbers:
    """At least a letter and a number, of any script."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if not (any(map(str.isalpha, password)) and any(map(str.isdecimal, password))):
            raise ValidationError(self.get_help_text())

    def get_help_text(self) -> str:
        return "Password must contain letters and numbers"


def check_password_rules(password: str, *, email: str, name: str) -> None:
    """Raises `BadInput` (`WEAK_PASSWORD`) for a password that is easy to guess, also from the address or the name."""
    try:
        password_validation.validate_password(password, User(email=email, name=name))
    except ValidationError as error:
        raise BadInput(error.messages[0], code="WEAK_PASSWORD", field="password") from error
