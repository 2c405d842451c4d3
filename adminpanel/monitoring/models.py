"""The tables of monitoring, collected for Django. Import each from the package that it belongs to.

Samples are only added, and deleted by age; rows are never incremented.
"""

from adminpanel.monitoring.alerts.models import Alert
from adminpanel.monitoring.egress.models import Route, RouteSample
from adminpanel.monitoring.incidents.models import Incident
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
from adminpanel.monitoring.routines.models import RoutineResult
