"""The table of the staff dashboard, collected for Django. Import it from the package that it belongs to."""

from adminpanel.jobs.models import Job
