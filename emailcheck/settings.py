"""All settings, read from the environment; boots with no environment at all.

`docs/settings.md` lists every variable, its default and what happens when it is missing.
"""

import socket
from datetime import timedelta
from pathlib import Path

import django_stubs_ext
from csp.constants import NONCE, NONE, SELF

from emailcheck import schedules
from emailcheck.api_description import API_DESCRIPTION
from emailcheck.common.logs.configuration import build_log_settings
from emailcheck.env import Env, build_google, origin, parse_database, parse_mail
from emailcheck.file_settings import STATIC_FILES, build_stores
from emailcheck.live_settings import DEFAULT_SECRET, require_live_settings
from quotes.quotes.pricing import parse_bands
from validation.egress.settings import read_profiles_path, read_routes
from validation.engine.profiles import SHIPPED

django_stubs_ext.monkeypatch()

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

# --- mode and addresses -------------------------------------------------------------------------
MODE = env.choice("EMAILCHECK_MODE", ("sandbox", "live"), "sandbox")
SANDBOX = MODE == "sandbox"
DEBUG = env.flag("DEBUG", False)
HOST = env.text("EMAILCHECK_HOST", "127.0.0.1")
PORT = env.number("EMAILCHECK_PORT", 8000)
# Under which this machine reports its workers.
MACHINE_NAME = env.text("MACHINE_NAME", socket.gethostname())
WEB_PROCESSES = env.number("WEB_PROCESSES", 1)
WEB_THREADS = env.number("WEB_THREADS", 16)  # a process
# How long a web that was told to end, and says so, takes connections.
WEB_GRACE_SECONDS = env.number("WEB_GRACE_SECONDS", 0)
# Connections that a client address may have open, but for trusted proxies.
WEB_ADDRESS_CONNECTIONS = env.number("WEB_ADDRESS_CONNECTIONS", 512)
# What begins so is refused last when there is more to do than can be done: checks, payments, and who asks for health.
_LAST = ["validate/single", "validate/bulk", "validate/upload", "payments/", "subscriptions/", "monitoring/health"]
REFUSED_LAST = ("/payments/", *(f"/api/{path}" for path in _LAST), *(f"/api/v1/{path}" for path in _LAST))
SITE_NAME = "EmailCheck"
SITE_URL = env.text("SITE_URL", f"http://{HOST}:{PORT}").rstrip("/")
SECRET_KEY = env.text("SECRET_KEY", DEFAULT_SECRET)
ALLOWED_HOSTS = list(env.names("ALLOWED_HOSTS", ("127.0.0.1", "localhost", "[::1]", "testserver")))
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CSRF_FAILURE_VIEW = "emailcheck.public.errors.csrf_refused"
SECURE = SITE_URL.startswith("https://")
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")

# The ports of the simulated outside world follow the web port, so that two copies can run side by side.
SANDBOX_DNS_PORT = env.number("SANDBOX_DNS_PORT", PORT + 153)
SANDBOX_SOCKS_PORT = env.number("SANDBOX_SOCKS_PORT", PORT + 125)
SANDBOX_MAIL_PORT = env.number("SANDBOX_MAIL_PORT", PORT + 126)
SANDBOX_HTTP_PORT = env.number("SANDBOX_HTTP_PORT", PORT + 180)

# --- applications -------------------------------------------------------------------------------
INSTALLED_APPS = [
    "emailcheck.apps.Admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "csp",
    "anymail",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "emailcheck.common",
    "accounts",
    "billing",
    "validation",
    "crm",
    "quotes",
    "adminpanel.monitoring",
    "adminpanel",
    "emailcheck.apps.Loaded",
]
MIDDLEWARE = [
    "emailcheck.common.web.metrics.MetricsMiddleware",
    "emailcheck.common.request_context.RequestIdMiddleware",
    "accounts.keys.request_log.RequestLogMiddleware",
    "emailcheck.common.request_context.TrustedProxyMiddleware",
    "emailcheck.common.web.middleware.HeadersMiddleware",
    "emailcheck.common.web.middleware.DurableAnswersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "emailcheck.common.web.middleware.RequestSizeMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "emailcheck.common.web.middleware.PagePolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.signin.page_sessions.SignedOutMiddleware",
    "accounts.signin.page_sessions.PageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "emailcheck.urls"
WSGI_APPLICATION = "emailcheck.wsgi.application"
# In every template, without `load`.
_TAGS = [f"emailcheck.common.templatetags.{name}" for name in ("check_costs", "figures", "terms")]
_OF_DJANGO = {"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [BASE_DIR / "templates"]}
TEMPLATES = [
    {
        **_OF_DJANGO,
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": _TAGS,
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "emailcheck.common.web.context.site_context",
                "accounts.access.page_context.organisation_context",
            ],
        },
    },
    {**_OF_DJANGO, "NAME": "text", "OPTIONS": {"autoescape": False, "builtins": _TAGS}},
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TIME_ZONE = "UTC"
USE_I18N = False

# --- storage ------------------------------------------------------------------------------------
DATABASES = {"default": parse_database(env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'emailcheck.sqlite3'}"))}
LIMITS_FILE = VAR_DIR / "shared" / "requests.sqlite3"  # where the processes of this machine count recent requests
METRICS_DIR = VAR_DIR / "metrics"  # where the processes of this machine count what they do
REDIS_URL = env.text("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
MEDIA_ROOT = Path(env.text("MEDIA_ROOT", str(VAR_DIR / "media")))
BACKUP_DIR = Path(env.text("BACKUP_DIR", str(VAR_DIR / "backups")))
BACKUPS_KEPT = env.number("BACKUPS_KEPT", 7)
# Where uploads and backups are; Django's STORAGES of either kind.
FILE_STORE = env.choice("FILE_STORE", ("disk", "s3"), "disk")
FILE_STORES = build_stores(env)
STORAGES = {"staticfiles": STATIC_FILES, **FILE_STORES[FILE_STORE]}
BACKUP_EVERY_HOURS = env.number("BACKUP_EVERY_HOURS", 0)  # 0: nobody expects backups
# A server on which a database may be made and dropped again, to prove that a backup of PostgreSQL can be restored.
RESTORE_TEST_SERVER = env.text("RESTORE_TEST_SERVER")
MAX_UPLOAD_BYTES = MAX_REQUEST_BYTES = 10 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
STATIC_URL = "/static/"
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
FRONTEND_DIST.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [FRONTEND_DIST]
WHITENOISE_ROOT = BASE_DIR / "frontend" / "public"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.+[.-][0-9A-Z]{8}\.(js|css|woff2|svg|png|csv|xlsx)$"

# --- people, tokens, cookies --------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "/"
PASSWORD_HASHERS = ["accounts.users.hashers.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.users.password_rules.LongEnough"},
    {"NAME": "accounts.users.password_rules.LettersAndNumbers"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
]
ADMIN_EMAIL_DOMAIN = env.text("ADMIN_EMAIL_DOMAIN", "emailcheck.app" if SANDBOX else "")
# Nobody may delete, suspend or demote these.
PROTECTED_ADMIN_EMAILS = tuple(
    address.lower()
    for address in env.names(
        "PROTECTED_ADMIN_EMAILS", ("sam@emailcheck.app", "admin@emailcheck.app") if SANDBOX else ()
    )
)
# Gives the admin role to whoever verifies an address in the admin domain, but for role addresses.
STAFF_AUTO_ADMIN = env.flag("STAFF_AUTO_ADMIN", SANDBOX)
STAFF_MFA_REQUIRED = env.flag("STAFF_MFA_REQUIRED", False)
REQUIRE_EMAIL_VERIFICATION = env.flag("REQUIRE_EMAIL_VERIFICATION", True)
FIELD_ENCRYPTION_KEY = env.text("FIELD_ENCRYPTION_KEY", SECRET_KEY)
# Calls that take credentials or send mail, a minute and address of the caller.
AUTH_REQUESTS_PER_MINUTE = env.number("AUTH_REQUESTS_PER_MINUTE", 100)
# Calls of the signed-in site, a minute and account; of whoever is not signed in, a minute and address.
SITE_REQUESTS_PER_MINUTE = env.number("SITE_REQUESTS_PER_MINUTE", 600)
ACCESS_TOKEN_LIFETIME, REFRESH_LIFETIME = timedelta(minutes=15), timedelta(days=30)
ACTIVITY_DAYS = env.number("ACTIVITY_DAYS", 365)
ORGANISATION_INVITATIONS = env.number("ORGANISATION_INVITATIONS", 50)  # open at a time
ORGANISATION_INVITATIONS_A_DAY = env.number("ORGANISATION_INVITATIONS_A_DAY", 100)
ORGANISATION_MEMBERS = env.number("ORGANISATION_MEMBERS", 100)
CONFIRMED_FOR = timedelta(minutes=15)  # a password or code counts for what asks for it again
SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": ACCESS_TOKEN_LIFETIME,
    "SIGNING_KEY": SECRET_KEY,
    "UPDATE_LAST_LOGIN": False,
}
# What of allauth is used: its tables of second factors and linked accounts. Signing in and mailed links are our own.
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
MFA_ADAPTER = "accounts.signin.second_factor.SecondFactor"
GOOGLE_CLIENT_ID = env.text("GOOGLE_CLIENT_ID", "sandbox-client" if SANDBOX else "")
GOOGLE_CLIENT_SECRET = env.text("GOOGLE_CLIENT_SECRET", "sandbox-secret" if SANDBOX else "")
GOOGLE = build_google(
    env.text("GOOGLE_BASE", f"http://127.0.0.1:{SANDBOX_HTTP_PORT}/sandbox/google" if SANDBOX else "").rstrip("/"),
    env.text("GOOGLE_WEB_BASE", f"{SITE_URL}/sandbox/google" if SANDBOX else "").rstrip("/"),
)
# The page session is a signed cookie that names the sign-in, which is looked up at every page.
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = int(REFRESH_LIFETIME.total_seconds())
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True

# --- headers ------------------------------------------------------------------------------------
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# The header is dropped from requests that no trusted proxy sent.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
X_FRAME_OPTIONS = "DENY"
# Without an address the Help Center says that there is no chat.
CHAT_WIDGET_SRC = env.text("CHAT_WIDGET_SRC")
_CHAT_HOST = origin(CHAT_WIDGET_SRC)
DEMO_VIDEO_URL = env.text("DEMO_VIDEO_URL")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE, *_CHAT_HOST],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", *_CHAT_HOST],
        "font-src": [SELF],
        "connect-src": [SELF, *_CHAT_HOST],
        "media-src": [SELF, *origin(DEMO_VIDEO_URL)],
        "frame-src": [SELF, *_CHAT_HOST],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# --- API ----------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.access.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.access.permissions.MayCall"],
    "DEFAULT_RENDERER_CLASSES": ["emailcheck.common.api.negotiation.MarkedJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["emailcheck.common.api.negotiation.BoundedJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "emailcheck.common.api.negotiation.LenientNegotiation",
    "DEFAULT_SCHEMA_CLASS": "emailcheck.common.api.described_views.DescribedSchema",
    "URL_FORMAT_OVERRIDE": None,
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%SZ",
    "EXCEPTION_HANDLER": "emailcheck.common.api.error_responses.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = API_DESCRIPTION
# Who may read the description of every call, beside staff: addresses of accounts.
SCHEMA_READERS = env.names("SCHEMA_READERS")

# --- lists --------------------------------------------------------------------------------------
IMMEDIATE_ADDRESSES = env.number("IMMEDIATE_ADDRESSES", 100)
# Lists of so many addresses at most pass longer ones by at mail operators, within the share that is kept for them.
SHORT_LIST_ADDRESSES = env.number("SHORT_LIST_ADDRESSES", 100)
IMMEDIATE_SECONDS = env.number("IMMEDIATE_SECONDS", 20)
CHUNK_ROWS = env.number("CHUNK_ROWS", 5_000)
WINDOW_ROWS = env.number("WINDOW_ROWS", 20_000)
CHUNK_SECONDS = env.number("CHUNK_SECONDS", 60)
SLICE_SECONDS = env.number("SLICE_SECONDS", 40)
# How long a list waits for hosts that ask unknown senders to come back later, from when it asked them first.
GREYLIST_SECONDS = env.number("GREYLIST_SECONDS", 1_800)
LEASE_SECONDS = env.number("LEASE_SECONDS", 30)
STUCK_HOURS = env.number("STUCK_HOURS", 24)

# --- queue --------------------------------------------------------------------------------------
# Tasks are wake-ups: the domain tables are the truth and a task may run twice.
# How many processes work on each queue of a machine.
WORKERS = env.number("WORKERS", 2)
_OF_OTHERS = {queue: env.number(f"WORKERS_{queue.upper()}", 1) for queue in ("high", "mail", "hooks")}
QUEUE_WORKERS = {**_OF_OTHERS, "bulk": WORKERS}
# A turn takes chunks for SLICE_SECONDS and ends with the last of them; then there is time to write.
TURN_SECONDS = SLICE_SECONDS + CHUNK_SECONDS + 20
# After so long a task that was taken and has not ended is handed out again.
RETRY_SECONDS = TURN_SECONDS + 60
Q_CLUSTER = {
    "name": "high",
    "orm": "default",
    "timeout": TURN_SECONDS,
    "retry": RETRY_SECONDS,
    "ack_failures": True,
    "max_attempts": 0,
    "save_limit": -1,
    "catch_up": False,
    "recycle": 500,
    "label": "Queue",
    "broker_class": "emailcheck.common.queue.broker.QueueBroker",
}
ON_HEARTBEAT, ON_MINUTE, SCHEDULES = schedules.ON_HEARTBEAT, schedules.ON_MINUTE, schedules.SCHEDULES

# --- mail ---------------------------------------------------------------------------------------
_MAIL = parse_mail(env.text("MAIL_URL", f"smtp://127.0.0.1:{SANDBOX_MAIL_PORT if SANDBOX else 25}"))
EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.starttls, _MAIL.implicit_tls
EMAIL_TIMEOUT = 15
# A mail service instead of SMTP: the name of its backend in anymail, and anymail's own variables.
if _ESP := env.text("MAIL_ESP"):
    EMAIL_BACKEND = f"anymail.backends.{_ESP}.EmailBackend"
ANYMAIL = env.prefixed("ANYMAIL_")
# USD that a bounced send costs, for the savings that the analytics show.
COST_PER_BOUNCE = env.amount("COST_PER_BOUNCE", "0.05")
# Prices of quotes: USD for each of so many credits, band after band, and the least that twelve months cost.
QUOTE_RATES = env.parsed(
    "QUOTE_RATES", "50000:0.0070 50000:0.0065 150000:0.0060 250000:0.0055 500000:0.0050 *:0.0045", parse_bands
)
QUOTE_MINIMUM = env.amount("QUOTE_MINIMUM", "350")
QUOTE_LASTS = timedelta(days=env.number("QUOTE_DAYS", 30))
# How long staff may look at a paid plan request before it approves itself.
QUOTE_APPROVAL = timedelta(minutes=env.number("QUOTE_APPROVAL_MINUTES", 8))
# How long an expired quote that nobody paid stays.
QUOTE_KEPT = timedelta(days=env.number("QUOTE_KEPT_DAYS", 14))
SUPPORT_EMAIL = env.text("SUPPORT_EMAIL", "support@emailcheck.app")
LEGAL_EMAIL = env.text("LEGAL_EMAIL", "legal@emailcheck.app")
# Without a number the Help Center says so.
SUPPORT_PHONE = env.text("SUPPORT_PHONE")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <{SUPPORT_EMAIL}>")

# --- payments -----------------------------------------------------------------------------------
# Sandbox and live differ in these addresses and keys alone.
PAYPAL_API_BASE = env.text(
    "PAYPAL_API_BASE", f"http://127.0.0.1:{SANDBOX_HTTP_PORT}" if SANDBOX else "https://api-m.paypal.com"
).rstrip("/")
PAYPAL_WEB_BASE = env.text(
    "PAYPAL_WEB_BASE", f"{SITE_URL}/sandbox/paypal" if SANDBOX else "https://www.paypal.com"
).rstrip("/")
PAYPAL_CLIENT_ID = env.text("PAYPAL_CLIENT_ID", "sandbox-client" if SANDBOX else "")
PAYPAL_CLIENT_SECRET = env.text("PAYPAL_CLIENT_SECRET", "sandbox-secret" if SANDBOX else "")
PAYPAL_MERCHANT_ID = env.text("PAYPAL_MERCHANT_ID", "C7CYMKZDG8D6E" if SANDBOX else "")
PAYPAL_WEBHOOK_ID = env.text("PAYPAL_WEBHOOK_ID", "SANDBOX00WEBHOOK0" if SANDBOX else "")

# --- invoices -----------------------------------------------------------------------------------
# Who sells, as invoices name them. Prices include the tax; at 0 percent there is no tax line.
SELLER_NAME = env.text("SELLER_NAME", f"{SITE_NAME} Sandbox Ltd. (simulated, not a real company)" if SANDBOX else "")
SELLER_ADDRESS = env.text("SELLER_ADDRESS", "1 Sandbox Street, 00000 Nowhere" if SANDBOX else "")
SELLER_VAT_ID = env.text("SELLER_VAT_ID", "SANDBOX-000000000" if SANDBOX else "")
INVOICE_TAX_RATE = env.amount("INVOICE_TAX_RATE", "0")
# How long invoices of deleted accounts say who bought, after their issue.
INVOICE_BUYER_YEARS = env.number("INVOICE_BUYER_YEARS", 10)

# --- verifier -----------------------------------------------------------------------------------
# Sandbox and live differ in these addresses alone.
VERIFIER_DNS = env.addresses("VERIFIER_DNS", (f"127.0.0.1:{SANDBOX_DNS_PORT}",) if SANDBOX else ())
VERIFIER_SMTP_PORT = env.number("VERIFIER_SMTP_PORT", 25)
VERIFIER_HELO = env.text("VERIFIER_HELO", "verifier.emailcheck.app" if SANDBOX else "")
VERIFIER_MAIL_FROM = env.text("VERIFIER_MAIL_FROM", "probe@emailcheck.app" if SANDBOX else "")
# The egress addresses, each with a HELO name of its own where `;helo=` gives one.
VERIFIER_ROUTES = env.parsed(
    "VERIFIER_ROUTES", f"socks5://127.0.0.1:{SANDBOX_SOCKS_PORT}" if SANDBOX else "direct", read_routes
)
# Limits of mail operators, for each egress address. The sandbox has a quicker pace.
_PROFILES = BASE_DIR / "emailcheck" / "sandbox" / "profiles.toml" if SANDBOX else SHIPPED
EGRESS_PROFILES = env.parsed("EGRESS_PROFILES", str(_PROFILES), read_profiles_path)
# How endpoints of webhooks are reached, and, in a file, whose certificates count there.
WEBHOOK_ROUTE = env.text("WEBHOOK_ROUTE", VERIFIER_ROUTES[0].partition(";")[0] if SANDBOX else "direct")
WEBHOOK_CA_FILE = env.text("WEBHOOK_CA_FILE", str(VAR_DIR / "sandbox" / "authority.pem") if SANDBOX else "")
# Where the processes of this machine share the sessions and recipients at mail operators.
SESSIONS_DIR = VAR_DIR / "shared"
# What tells this machine from others; made once.
MACHINE_FILE = VAR_DIR / "machine"

# --- logs ---------------------------------------------------------------------------------------
LOGS_DIR = VAR_DIR / "logs"
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_STORE_LEVEL = env.choice("LOG_STORE_LEVEL", _LEVELS, "INFO")
LOGGING = build_log_settings(level=env.choice("LOG_LEVEL", _LEVELS, "WARNING"), stored_from=LOG_STORE_LEVEL)

if not SANDBOX:
    require_live_settings(globals())
