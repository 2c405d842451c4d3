"""The tables of monitoring, collected for Django. Import each from the package that it belongs to.

Samples are only ever added and deleted by age; nobody counts by adding to a row.
"""

from adminpanel.monitoring.alerts.models import Alert
from adminpanel.monitoring.egress.models import Route, RouteSample
from adminpanel.monitoring.incidents.models import Incident
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from adminpanel.monitoring.probes.models import ProbeDay, ProbeSample
