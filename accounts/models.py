"""The tables of accounts, collected for Django. Import each from the package that it belongs to."""

from accounts.access.models import ApiKey, SignIn, Viewing
from accounts.activity.models import Activity
from accounts.keys.models import ApiRequest, KeyLeak, KeyLeakNotice
from accounts.organisations.models import Membership, Organisation, OrganisationLogo
from accounts.rules.models import OwnedDomain
from accounts.signin.models import MailboxRequest, OneTimeToken
from accounts.staff.models import ColleagueDeletion
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
